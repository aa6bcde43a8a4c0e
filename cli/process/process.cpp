// SPDX-License-Identifier: Apache-2.0
#include "cli/process/process.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <ostream>
#include <string_view>

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

namespace {

// What handlers can reach is global.

/// Blocks so small that they come from the heap and go back to it.
constexpr std::size_t kBlock = std::size_t{64} * 1024;
std::array<std::atomic<void*>, 16> blocks = {};
std::atomic<int> refusals = 0;
std::terminate_handler terminated_before = nullptr;

void give_back(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) std::free(blocks[i].exchange(nullptr));
}

/// Returning has the allocation tried again.
void make_room() {
  switch (refusals.fetch_add(1)) {
    case 0:
      return give_back(0, blocks.size() / 2);
    case 2:
      return give_back(blocks.size() / 2, blocks.size());
    default:
      throw std::bad_alloc();
  }
}

[[noreturn]] void end_without_memory() {
  constexpr std::string_view kLine = "heddle: the system has no memory left\n";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_array_new_length&) {
  } catch (const std::bad_alloc&) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
    _exit(kExitBadInput);
  } catch (...) {
  }
  if (terminated_before != nullptr) terminated_before();
  std::abort();
}

}  // namespace

void prepare_for_no_memory() {
  for (auto& block : blocks) block = std::malloc(kBlock);
  std::set_new_handler(make_room);
  terminated_before = std::set_terminate(end_without_memory);
}

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  mallopt(M_ARENA_MAX, 1);
}

void separate_heaps(int runs) {
  constexpr int kFew = 4;
  if (runs > kFew) mallopt(M_ARENA_MAX, 0);  // malloc()'s own choice: eight for each core
}

}  // namespace heddle
