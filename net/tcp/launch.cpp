// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/launch.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "core/errors.hpp"
#include "core/read_number.hpp"
#include "net/tcp/tcp_transport.hpp"

extern char** environ;

namespace heddle::net {

namespace {

constexpr int kMostSlots = 65536;

/// What names a machine, alone or behind a user: no blank, no option of ssh, nothing that a shell reads otherwise.
bool is_host(std::string_view word) {
  return !word.empty() && !word.starts_with('-') && word.size() <= 255 && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_:@%").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::vector<HostLine> parse_hosts(std::string_view text, std::string_view name) {
  std::vector<HostLine> hosts;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    const auto refuse = [&](const std::string& what) {
      return InputError(fmt::format("{}:{}: {}; a line is 'host' or 'host slots=4'", name, number, what));
    };
    HostLine host;
    if (!(words >> host.host)) continue;
    if (!is_host(host.host)) throw refuse(fmt::format("'{}' is no host", host.host));
    for (std::string word; words >> word;) {
      const auto slots = word.starts_with("slots=") ? read_number<int>(std::string_view(word).substr(6)) : std::nullopt;
      if (!slots || *slots < 1 || *slots > kMostSlots) throw refuse(fmt::format("'{}' is no number of slots", word));
      host.slots = *slots;
    }
    hosts.push_back(host);
  }
  if (hosts.empty()) throw InputError(fmt::format("{}: names no host; a line is 'host' or 'host slots=4'", name));
  return hosts;
}

std::vector<std::string> hosts_of_ranks(const std::vector<HostLine>& hosts, int ranks, std::string_view name) {
  std::vector<std::string> of_ranks;
  long slots = 0;
  for (const HostLine& host : hosts) {
    slots += host.slots;
    for (int i = 0; i < host.slots && static_cast<int>(of_ranks.size()) < ranks; ++i) of_ranks.push_back(host.host);
  }
  if (slots < ranks)
    throw InputError(fmt::format("{}: has {} slots for {} ranks; raise slots=N, or lower -n", name, slots, ranks));
  return of_ranks;
}

ReservedPort::ReservedPort() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const int on = 1;
  if (socket_ < 0 || setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 || bind(socket_, any, length) != 0 ||
      getsockname(socket_, any, &length) != 0) {
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) close(socket_);
    throw ResourceError("no port is free at 127.0.0.1: " + why);
  }
  port_ = ntohs(address.sin_port);
}

ReservedPort::~ReservedPort() { close(socket_); }

namespace {

constexpr std::chrono::milliseconds kTermTime(2000);
/// Of shells: the command is not there.
constexpr int kNotFound = 127;

/// A word as a shell reads it back.
std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

struct StartOfRank {
  std::vector<std::string> words;
  std::vector<std::string> variables;  ///< besides this process's own
  std::string input;                   ///< what it reads first; empty: this process's standard input
};

class LaunchPlan {
 public:
  explicit LaunchPlan(const LaunchSettings& settings) : settings_(settings), token_(to_string(random_token())) {
    if (settings.hosts.empty()) {
      port_ = std::make_unique<ReservedPort>();
      rendezvous_ = {"127.0.0.1", port_->port()};
      return;
    }
    hosts_ = hosts_of_ranks(settings.hosts, settings.ranks, settings.hosts_name);
    // Nobody here knows what is free there: one of those that are for any use. If it is taken, rank 0 says so.
    constexpr int kFirstPort = 49152;
    const std::string& first = hosts_.front();
    const std::size_t user = first.find('@');
    std::random_device random;
    rendezvous_ = {user == std::string::npos ? first : first.substr(user + 1),
                   static_cast<std::uint16_t>(kFirstPort + random() % (65536 - kFirstPort))};
  }

  StartOfRank of(int rank) const {
    const std::string bind = settings_.bind.value_or(hosts_.empty() ? "127.0.0.1" : "0.0.0.0");
    StartOfRank start = {settings_.command,
                         {fmt::format("HEDDLE_RANK={}", rank), fmt::format("HEDDLE_RANKS={}", settings_.ranks),
                          fmt::format("HEDDLE_RENDEZVOUS={}", to_string(rendezvous_)), fmt::format("HEDDLE_BIND={}", bind)},
                         ""};
    if (hosts_.empty()) {
      start.variables.push_back("HEDDLE_TOKEN=" + token_);
      return start;
    }
    std::string line = "read -r HEDDLE_TOKEN && export HEDDLE_TOKEN && exec env";
    for (const std::string& variable : start.variables) line += " " + shell_quoted(variable);
    for (const std::string& word : settings_.command) line += " " + shell_quoted(word);
    return {{settings_.remote_shell, hosts_[static_cast<std::size_t>(rank)], line}, {}, token_ + "\n"};
  }

 private:
  const LaunchSettings& settings_;
  std::string token_;
  std::unique_ptr<ReservedPort> port_;
  std::vector<std::string> hosts_;
  HostAndPort rendezvous_;
};

/// As long as it lives, these signals wait to be read.
class LaunchSignals {
 public:
  LaunchSignals() {
    sigemptyset(&taken_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&taken_, signal);
    pthread_sigmask(SIG_BLOCK, &taken_, &before_);
    file_ = signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK);
    if (file_ < 0) {
      const std::string why = std::strerror(errno);
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
      throw ResourceError("signals cannot be read: " + why);
    }
  }
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;
  ~LaunchSignals() {
    close(file_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  const sigset_t& before() const { return before_; }

  struct Taken {
    int signal = 0;     ///< 0: none has come
    pid_t process = 0;  ///< of SIGCHLD: of those that have ended, the first
  };

  /// One that has come within the time; SIGCHLD is one.
  Taken wait(std::chrono::milliseconds longest) const {
    pollfd file = {file_, POLLIN, 0};
    if (poll(&file, 1, static_cast<int>(longest.count())) <= 0) return {};
    signalfd_siginfo info = {};
    if (read(file_, &info, sizeof info) != sizeof info) return {};
    return {static_cast<int>(info.ssi_signo), static_cast<pid_t>(info.ssi_pid)};
  }

 private:
  sigset_t taken_ = {};
  sigset_t before_ = {};
  int file_ = -1;
};

/// Between fork and exec: what does not return allocates nothing.
[[noreturn]] void become(char* const* words, char* const* variables, int input, const sigset_t& mask) {
  if (input >= 0) dup2(input, STDIN_FILENO);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  environ = const_cast<char**>(variables);
  execvp(words[0], words);
  _exit(kNotFound);
}

pid_t start_process(const StartOfRank& start, const sigset_t& mask) {
  std::vector<std::string> variables = start.variables;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view name = std::string_view(*one).substr(0, std::string_view(*one).find('=') + 1);
    if (std::ranges::none_of(start.variables, [&](const std::string& own) { return own.starts_with(name); }))
      variables.emplace_back(*one);
  }
  std::vector<std::string> words = start.words;
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  const std::vector<char*> word_pointers = pointers(words);
  const std::vector<char*> variable_pointers = pointers(variables);
  std::array<int, 2> pipe_ends = {-1, -1};
  if (!start.input.empty() && pipe2(pipe_ends.data(), O_CLOEXEC) != 0)
    throw ResourceError(std::string("no pipe to a process: ") + std::strerror(errno));
  const pid_t process = fork();
  const int error = errno;
  if (process == 0) become(word_pointers.data(), variable_pointers.data(), pipe_ends[0], mask);
  if (pipe_ends[0] >= 0) {
    // Shorter than a pipe holds. Nobody reads it if the process has ended.
    [[maybe_unused]] const ssize_t written = write(pipe_ends[1], start.input.data(), start.input.size());
    for (const int end : pipe_ends) close(end);
  }
  if (process < 0) throw ResourceError(std::string("a process cannot be started: ") + std::strerror(error));
  return process;
}

std::string ending_of(int status, const std::string& program) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == kNotFound)
    return fmt::format("ended with status {}: is there a command '{}'?", kNotFound, program);
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

int exit_status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

class RunningRanks {
 public:
  RunningRanks(const LaunchSettings& settings, std::ostream& err) : settings_(settings), err_(err) {}
  RunningRanks(const RunningRanks&) = delete;
  RunningRanks& operator=(const RunningRanks&) = delete;
  /// Where starting one of them throws.
  ~RunningRanks() {
    send_to_all(SIGKILL);
    for (const pid_t process : processes_)
      if (process > 0) waitpid(process, nullptr, 0);
  }

  void start() {
    const LaunchPlan plan(settings_);
    for (int rank = 0; rank < settings_.ranks; ++rank) processes_.push_back(start_process(plan.of(rank), signals_.before()));
    wait();
  }
  int status() const { return status_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// While the plan keeps the port.
  void wait() {
    while (std::ranges::any_of(processes_, [](pid_t process) { return process > 0; })) {
      const auto [signal, process] = signals_.wait(std::chrono::milliseconds(end_ ? 50 : 1000));
      if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
        if (status_ == 0) status_ = 128 + signal;
        stop(signal);
      }
      // What ends others is seen before them, though they may end at once.
      const auto first = std::ranges::find(processes_, process);
      if (process > 0 && first != processes_.end()) collect(static_cast<std::size_t>(first - processes_.begin()));
      for (std::size_t rank = 0; rank < processes_.size(); ++rank) collect(rank);
      if (end_ && Clock::now() >= *end_) {
        send_to_all(SIGKILL);
        end_ = Clock::now() + kTermTime;
      }
    }
  }

  /// If it has ended.
  void collect(std::size_t rank) {
    int status = 0;
    if (processes_[rank] <= 0 || waitpid(processes_[rank], &status, WNOHANG) != processes_[rank]) return;
    processes_[rank] = 0;
    if (status == 0 || status_ != 0) return;
    status_ = exit_status_of(status);
    err_ << fmt::format("heddle: rank {} {}\n", rank, ending_of(status, settings_.command.front())) << std::flush;
    stop(SIGTERM);
  }

  void stop(int signal) {
    send_to_all(signal);
    if (!end_) end_ = Clock::now() + kTermTime;
  }

  void send_to_all(int signal) const {
    for (const pid_t process : processes_)
      if (process > 0) kill(process, signal);
  }

  const LaunchSettings& settings_;
  std::ostream& err_;
  LaunchSignals signals_;
  std::vector<pid_t> processes_;  ///< by rank; 0: it has ended
  std::optional<Clock::time_point> end_;
  int status_ = 0;
};

}  // namespace

int launch(const LaunchSettings& settings, std::ostream& err) {
  if (settings.command.empty()) throw InputError("the command is missing; try: heddle launch -n 4 -- ./program");
  if (settings.ranks < 1) throw InputError(fmt::format("-n '{}': not a number of ranks; try 4", settings.ranks));
  RunningRanks ranks(settings, err);
  ranks.start();
  return ranks.status();
}

}  // namespace heddle::net
