// SPDX-License-Identifier: Apache-2.0
#include "process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>

#include "heddle/errors.hpp"

extern char** environ;

namespace heddle {

void OpenFile::close() {
  if (is_open()) ::close(std::exchange(file_, -1));
}

Child::Change Child::look() {
  if (has_ended()) return Change::ended;
  if (waitpid(pid_, &status_, WNOHANG | WUNTRACED) != pid_) return Change::none;
  if (WIFSTOPPED(status_)) return Change::stopped;
  pid_ = 0;
  return Change::ended;
}

bool Child::send(int signal) const { return !has_ended() && kill(pid_, signal) == 0; }

void Child::end() {
  if (has_ended()) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

char Child::state() const {
  const OpenFile file(open(fmt::format("/proc/{}/stat", pid_).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return '?';
  std::array<char, 512> text{};
  const ssize_t got = read(file.get(), text.data(), text.size());
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const std::size_t name_end = line.rfind(')');  // the name may have blanks and brackets
  return name_end == std::string_view::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
}

Child::Seconds Child::cpu() const {
  clockid_t clock = 0;
  timespec time{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return Seconds(0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

OpenFile Child::end_file() const {
#ifdef SYS_pidfd_open
  return OpenFile(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
#else
  return OpenFile();
#endif
}

namespace {

std::vector<char*> pointers_to_words(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Between fork and exec: what does not return allocates nothing.
[[noreturn]] void become(char* const* words, char* const* variables, int input, const sigset_t& mask) {
  if (input >= 0) dup2(input, STDIN_FILENO);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  environ = const_cast<char**>(variables);
  execvp(words[0], words);
  _exit(ChildProgram::kNotFound);
}

}  // namespace

Child start(const ChildProgram& program, const sigset_t& mask) {
  std::vector<std::string> variables = program.variables;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view name = std::string_view(*one).substr(0, std::string_view(*one).find('=') + 1);
    if (std::ranges::none_of(program.variables, [&](const std::string& own) { return own.starts_with(name); }))
      variables.emplace_back(*one);
  }
  std::vector<std::string> words = program.words;
  const std::vector<char*> word_pointers = pointers_to_words(words);
  const std::vector<char*> variable_pointers = pointers_to_words(variables);
  std::array<int, 2> ends = {-1, -1};
  if (!program.input.empty() && pipe2(ends.data(), O_CLOEXEC) != 0)
    throw ResourceError(std::string("no pipe to a process: ") + std::strerror(errno));
  const OpenFile from(ends[0]);
  const OpenFile to(ends[1]);
  const pid_t process = fork();
  const int error = errno;
  if (process == 0) become(word_pointers.data(), variable_pointers.data(), from.get(), mask);
  if (to.is_open()) {  // nobody reads it if the process has ended
    [[maybe_unused]] const ssize_t written = write(to.get(), program.input.data(), program.input.size());
  }
  if (process < 0) throw ResourceError(std::string("a process cannot be started: ") + std::strerror(error));
  return Child(process);
}

std::string program_of(const std::string& process) {
  std::array<char, 4096> path{};
  const ssize_t length = readlink(fmt::format("/proc/{}/exe", process).c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* description = sigdescr_np(signal);
  return fmt::format("{} ({})", name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name),
                     description == nullptr ? "unknown" : description);
}

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;  // more than the set has room for
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace heddle
