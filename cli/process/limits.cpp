// SPDX-License-Identifier: Apache-2.0
#include "cli/process/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <ostream>
#include <string_view>

#include "cli/process/exit_status.hpp"

namespace heddle {

namespace {

// A handler has nothing but what is global.
volatile std::sig_atomic_t is_file_too_large = 0;

void note_file_limit(int) { is_file_too_large = 1; }

void end_at_cpu_limit(int) {
  constexpr std::string_view kLine =
      "heddle: the limit on CPU time (ulimit -t) is reached; a higher one, or a smaller run, may help\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(kExitBadInput);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// Where the limit that warns is the one that kills (`ulimit -t`), one second less warns.
void leave_time_to_say_so() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY || limit.rlim_cur < limit.rlim_max ||
      limit.rlim_max < 2)
    return;
  limit.rlim_cur = limit.rlim_max - 1;
  setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

void take_limits_as_errors() {
  leave_time_to_say_so();
  handle(SIGXFSZ, note_file_limit);
  handle(SIGXCPU, end_at_cpu_limit);
}

int exit_status_within_limits(int status, std::ostream& err) {
  if (is_file_too_large == 0) return status;
  err << "heddle: the limit on a file's size (ulimit -f) is reached; what was to be written is not whole\n";
  return kExitBadInput;
}

}  // namespace heddle
