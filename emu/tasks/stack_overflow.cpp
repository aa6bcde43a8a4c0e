// SPDX-License-Identifier: Apache-2.0
#include "emu/tasks/stack_overflow.hpp"

#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <memory>
#include <mutex>

namespace heddle::emu {

constinit thread_local const RunningTask* running_task = nullptr;
constinit thread_local std::uint64_t turns_of_tasks = 0;
constinit thread_local bool waits_for_tasks = false;
constinit thread_local const Time* emulated_time = nullptr;

namespace {

constexpr std::array<int, 2> kSignals = {SIGSEGV, SIGBUS};

// What a handler can reach is global.
std::array<struct sigaction, kSignals.size()> actions_before = {};
std::atomic<int> passed_on = 0;

/// A line of a fixed size: a handler may use nothing that allocates or locks.
class Line {
 public:
  Line& add(std::string_view text) {
    for (const char c : text) {
      if (length_ < characters_.size()) characters_[length_++] = c;
    }
    return *this;
  }
  Line& add(std::size_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  void write_out() const {
    std::size_t done = 0;
    while (done < length_) {
      const ssize_t written = write(STDERR_FILENO, characters_.data() + done, length_ - done);
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  std::array<char, 256> characters_ = {};
  std::size_t length_ = 0;
};

const std::byte* stack_pointer(const void* context) {
  [[maybe_unused]] const auto* const machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const std::byte*>(machine->gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const std::byte*>(machine->sp);
#else
  return running_task->bottom;  // the address alone decides
#endif
}

bool is_overflow(const siginfo_t& info, const void* context) {
  if (running_task == nullptr || info.si_code <= 0) return false;
  const RunningTask& task = *running_task;
  const auto* const address = static_cast<const std::byte*>(info.si_addr);
  return (address < task.bottom && address >= task.bottom - task.guard_bytes) || stack_pointer(context) < task.bottom;
}

void handle(int signal, siginfo_t* info, void* context) {
  if (is_overflow(*info, context)) say_overflow(*running_task);
  // Back to where it happened, where it happens again to whoever was responsible before; who hands it on to us, meant it.
  struct sigaction next = actions_before[signal == SIGSEGV ? 0 : 1];
  if (passed_on.fetch_add(1) >= 2) next.sa_handler = SIG_DFL;
  sigaction(signal, &next, nullptr);
  // What was raised, as by abort, does not happen again by itself.
  if (info->si_code <= 0) std::raise(signal);
}

/// The handler's stack: that of the task is what overflowed. A thread that has one already keeps it.
class AlternateStack {
 public:
  AlternateStack() {
    stack_t before = {};
    if (sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
    memory_ = std::make_unique<std::byte[]>(kBytes);
    stack_t stack = {};
    stack.ss_sp = memory_.get();
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;
  ~AlternateStack() {
    stack_t now = {};
    if (memory_ == nullptr || sigaltstack(nullptr, &now) != 0 || now.ss_sp != memory_.get()) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{64} * 1024;
  std::unique_ptr<std::byte[]> memory_;
};

bool is_ours(const struct sigaction& action) { return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle; }

}  // namespace

void say_overflow(const RunningTask& task) {
  Line line;
  line.add("heddle: ");
  if (task.rank < 0)
    line.add("a task");
  else
    line.add("rank ").add(static_cast<std::size_t>(task.rank));
  line.add(kOverflowWords).add(task.stack_bytes).add(" bytes; give it a larger one (--stack, stack_bytes)\n").write_out();
}

void watch_for_overflows() {
  static thread_local const AlternateStack stack;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now = {};
    sigaction(kSignals[i], nullptr, &now);
    if (is_ours(now)) continue;
    actions_before[i] = now;
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], &action, nullptr);
  }
}

}  // namespace heddle::emu
