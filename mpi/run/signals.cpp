// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/signals.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "core/sanitizers.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "mpi/objects/process.hpp"
#include "process/child.hpp"

namespace heddle::mpi {

namespace {

constexpr std::array<int, 6> kDeadly = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr int kFailed = 1;    // the exit status of a run that failed
constexpr int kPatience = 5;  // seconds
constexpr std::size_t kMostFrames = 64;

/// What a handler was told. Of one rank at a time: the run ends with it.
struct Told {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0;
  bool writes = false;                        ///< where the processor says so
  std::size_t overflowed_stack = 0;           ///< bytes; 0: it is no overflow
  std::array<void*, kMostFrames> stack = {};  ///< as return addresses, innermost first
  std::size_t frames = 0;
};

// What a handler can reach is global.
Told told;
std::atomic<bool> is_failing = false;
std::array<struct sigaction, kDeadly.size()> actions_before = {};

void write_words(std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, word.data(), word.size());
}

std::string_view name_of(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? "NAL" : name;
}

/// The words alone, of what has no more time or no memory that is whole.
[[noreturn]] void end_at_once() {
  write_words({"heddle: rank_failed: the program was ended by SIG", name_of(told.signal),
               "; where it happened cannot be said: its memory is damaged, or a lock is held; heddle mpirun --guard-heap "
               "finds what is written outside of a block\n"});
  _exit(kFailed);
}

// What is done after a signal may wait for a lock that the program held then: malloc's, stdout's.
void set_patience(int seconds) {
  struct sigaction action = {};
  if (seconds > 0)
    action.sa_handler = [](int) { end_at_once(); };
  else
    action.sa_handler = SIG_DFL;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

struct Registers {
  std::uintptr_t counter = 0;
  std::uintptr_t stack = 0;
  std::uintptr_t returns_to = 0;  ///< where a processor keeps it
  bool writes = false;            ///< what has failed would write, where the processor says so
};

Registers registers_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr greg_t kWrites = 2;
  return {static_cast<std::uintptr_t>(machine.gregs[REG_RIP]), static_cast<std::uintptr_t>(machine.gregs[REG_RSP]), 0,
          (machine.gregs[REG_ERR] & kWrites) != 0};
#elif defined(__aarch64__)
  return {machine.pc, machine.sp, machine.regs[30], false};
#else
#error "heddle runs MPI programs on x86-64 and AArch64"
#endif
}

/// The stack of what was interrupted.
void take_stack(const void* context) {
  const Registers at = registers_of(context);
  told.writes = at.writes;
  std::array<void*, kMostFrames> frames = {};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  void** const end = frames.data() + count;
  void** const here = std::find(frames.data(), end, reinterpret_cast<void*>(at.counter));
  told.stack[0] = reinterpret_cast<void*>(at.counter + 1);  // as if it were a call that returns
  told.frames = 1;
  if (here != end) {
    told.frames += static_cast<std::size_t>(std::copy(here + 1, end, told.stack.data() + 1) - (told.stack.data() + 1));
    return;
  }
  // A call of what is no function: nobody knows its frame, but where it returns to.
  void* const back = at.returns_to != 0 ? reinterpret_cast<void*>(at.returns_to) : *reinterpret_cast<void**>(at.stack);
  told.stack[told.frames++] = back;
}

std::string address_text(std::uintptr_t address) {
  constexpr std::uintptr_t kLeastMapped = 65536;
  static const auto in_place = reinterpret_cast<std::uintptr_t>(MPI_IN_PLACE);
  if (address == 0) return "a null pointer";
  if (address == in_place) return "MPI_IN_PLACE, which is no buffer";
  if (address < kLeastMapped)
    return fmt::format("address {:#x}, a null pointer or MPI_IN_PLACE ({:#x}) and an offset", address, in_place);
  return "an address that is none";  // which one differs from run to run
}

std::string reason() {
  if (told.signal == SIGFPE && told.code == FPE_INTDIV) return ", a division by zero";
  if (told.signal != SIGSEGV || (told.code != SEGV_MAPERR && told.code != SEGV_ACCERR)) return "";
  const bool is_refused = told.code == SEGV_ACCERR && told.writes;
  return fmt::format(": it {} {}", told.writes ? "writes to" : "reads from",
                     is_refused ? "memory that may not be written, as that of a constant" : address_text(told.address));
}

std::string text_of(const World& world) {
  const std::string where = world.stack_text(std::span<const void* const>(told.stack.data(), told.frames));
  const std::string what = told.overflowed_stack > 0
                               ? fmt::format("ran over the end of its stack of {}; give it a larger one (--stack)",
                                             to_string(Bytes(static_cast<std::int64_t>(told.overflowed_stack))))
                               : fmt::format("was ended by {}{}", signal_text(told.signal), reason());
  return where.empty() ? what : fmt::format("{}: {}", where, what);
}

std::exception_ptr failure_of(Process& process) {
  std::exception_ptr failure = std::make_exception_ptr(Error(text_of(process.world())));
  set_patience(0);
  is_failing = false;
  return failure;
}

/// Returns if no rank runs.
void fail(int signal, const siginfo_t* info, const void* context, std::size_t overflowed_stack) {
  Process* const process = Process::current();
  if (process == nullptr) return;
  if (is_failing.exchange(true)) end_at_once();
  set_patience(kPatience);
  told.signal = signal;
  told.code = info == nullptr ? 0 : info->si_code;
  told.address = info == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(info->si_addr);
  told.overflowed_stack = overflowed_stack;
  take_stack(context);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (const int deadly : kDeadly) sigaddset(&unblocked, deadly);
  sigaddset(&unblocked, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  if (!process->is_in_call()) process->fail_later(failure_of);
  const std::string line = fmt::format("heddle: rank_failed: rank {} failed in {}: {}\n", process->run_rank(),
                                       process->world().call_text(process->site()), text_of(process->world()));
  if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);
  write_words({line});
  _exit(kFailed);
}

[[maybe_unused]] void handle(int signal, siginfo_t* info, void* context) {
  fail(signal, info, context, 0);
  // Not a rank's: once more to whoever was responsible before.
  if (info->si_code <= 0 || signal == SIGSEGV || signal == SIGBUS)
    write_words({"heddle: ended by SIG", name_of(signal),
                 " between calls of the ranks; a program that writes outside of its memory damages heddle's: heddle mpirun "
                 "--guard-heap finds what is written outside of a block\n"});
  const auto place = static_cast<std::size_t>(std::ranges::find(kDeadly, signal) - kDeadly.begin());
  sigaction(signal, &actions_before[place], nullptr);
  if (info->si_code <= 0) std::raise(signal);
}

}  // namespace

void fail_ranks_on_signals() {
#if !HEDDLE_ADDRESS_SANITIZER && !HEDDLE_THREAD_SANITIZER  // which have handlers that say more
  std::array<void*, 2> frames = {};
  backtrace(frames.data(), static_cast<int>(frames.size()));  // loads what it needs, which a handler must not
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kDeadly.size(); ++i) sigaction(kDeadly[i], &action, &actions_before[i]);
#endif
}

std::string place_of_signal(int signal, const siginfo_t* info, const void* context) {
  const Process* const process = Process::current();
  if (process == nullptr || process->is_in_call()) return {};
  told.signal = signal;
  told.code = info->si_code;
  told.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  take_stack(context);
  const std::string where = process->world().stack_text(std::span<const void* const>(told.stack.data(), told.frames));
  return where.empty() ? where : where + reason();
}

void fail_rank_on_overflow(std::size_t stack_bytes, const void* context) { fail(SIGSEGV, nullptr, context, stack_bytes); }

}  // namespace heddle::mpi
