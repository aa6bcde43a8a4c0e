// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/launch.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <sstream>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "net/tcp/tcp_transport.hpp"

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
  const int socket = socket_.get();
  if (!socket_.is_open() || setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(socket, any, length) != 0 || getsockname(socket, any, &length) != 0)
    throw ResourceError(std::string("no port is free at 127.0.0.1: ") + std::strerror(errno));
  port_ = ntohs(address.sin_port);
}

namespace {

constexpr std::chrono::milliseconds kTermTime(2000);

/// A word as a shell reads it back.
std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

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

  ChildProgram of(int rank) const {
    const std::string bind = settings_.bind.value_or(hosts_.empty() ? "127.0.0.1" : "0.0.0.0");
    ChildProgram start = {settings_.command,
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
    file_ = OpenFile(signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!file_.is_open()) {
      const std::string why = std::strerror(errno);
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
      throw ResourceError("signals cannot be read: " + why);
    }
  }
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;
  ~LaunchSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  const sigset_t& before() const { return before_; }

  struct Taken {
    int signal = 0;     ///< 0: none has come
    pid_t process = 0;  ///< of SIGCHLD: of those that have ended, the first
  };

  /// One that has come within the time; SIGCHLD is one.
  Taken wait(std::chrono::milliseconds longest) const {
    pollfd file = {file_.get(), POLLIN, 0};
    if (poll(&file, 1, static_cast<int>(longest.count())) <= 0) return {};
    signalfd_siginfo info = {};
    if (read(file_.get(), &info, sizeof info) != sizeof info) return {};
    return {static_cast<int>(info.ssi_signo), static_cast<pid_t>(info.ssi_pid)};
  }

 private:
  sigset_t taken_ = {};
  sigset_t before_ = {};
  OpenFile file_;
};

std::string ending_of(int status, const std::string& program) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == ChildProgram::kNotFound)
    return fmt::format("ended with status {}: is there a command '{}'?", ChildProgram::kNotFound, program);
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

int exit_status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

class RunningRanks {
 public:
  RunningRanks(const LaunchSettings& settings, std::ostream& err) : settings_(settings), err_(err) {}

  void start() {
    const LaunchPlan plan(settings_);
    for (int rank = 0; rank < settings_.ranks; ++rank) processes_.push_back(heddle::start(plan.of(rank), signals_.before()));
    wait();
  }
  int status() const { return status_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// While the plan keeps the port.
  void wait() {
    while (!std::ranges::all_of(processes_, &Child::has_ended)) {
      const auto [signal, process] = signals_.wait(std::chrono::milliseconds(end_ ? 50 : 1000));
      if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
        if (status_ == 0) status_ = 128 + signal;
        stop(signal);
      }
      // What ends others is seen before them, though they may end at once.
      const auto first = std::ranges::find(processes_, process, &Child::pid);
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
    Child& process = processes_[rank];
    if (process.has_ended() || process.look() != Child::Change::ended || process.status() == 0 || status_ != 0) return;
    status_ = exit_status_of(process.status());
    err_ << fmt::format("heddle: rank {} {}\n", rank, ending_of(process.status(), settings_.command.front())) << std::flush;
    stop(SIGTERM);
  }

  void stop(int signal) {
    send_to_all(signal);
    if (!end_) end_ = Clock::now() + kTermTime;
  }

  void send_to_all(int signal) const {
    for (const Child& process : processes_) process.send(signal);
  }

  const LaunchSettings& settings_;
  std::ostream& err_;
  LaunchSignals signals_;
  std::vector<Child> processes_;  ///< by rank
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
