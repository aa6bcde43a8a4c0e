// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/stack_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>
#include <utility>

#include "emu/engine/fiber_annotations.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kStacksPerSlab = 64;
constexpr std::size_t kFewestStacksPerSlab = 8;
constexpr std::uint64_t kCanary = 0x68656464'6c652e2eULL;
constexpr std::size_t kCanaryWords = 8;
constexpr std::size_t kCanaryBytes = kCanaryWords * sizeof kCanary;
// Stacks begin at different offsets in the upper half of a page, two cache lines apart: a rank that does little touches one page. A
// canary lies below the bottom of its stack, in the page where the next stack begins, as a page of its own would be one more to touch.
constexpr std::size_t kStagger = 128;
constexpr std::size_t kStaggers = 16;
// What one frame may be large without stepping over the guard. Addresses alone: but thousands of stacks that lie so far apart
// would each need a page table of their own, and AddressSanitizer keeps a shadow of all.
constexpr std::size_t kWideGuard = kFrameGrowth > 1 ? 0 : std::size_t{256} * 1024;
constexpr std::size_t kWidelyGuarded = 128;
// A stack that is so large has a page table of its own anyway: what uses it has large frames.
constexpr std::size_t kLargeStack = std::size_t{1} << 20;
constexpr std::size_t kGuardsInLargeStack = kFrameGrowth > 1 ? 0 : 8;
// What a thread keeps of its stacks: those of most runs, and the others while they leave half of the guards to the rest of the process.
constexpr std::size_t kAlwaysKept = 1024;
constexpr std::size_t kMostKept = 4096;
constexpr std::size_t kMostKeptSlabs = 68;

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A guard splits its mapping: it costs two maps. Half of the limit stays for everything else in the process.
std::size_t affordable_guards() {
  static const std::size_t affordable = [] {
    std::size_t max_maps = 65530;
    std::ifstream("/proc/sys/vm/max_map_count") >> max_maps;
    return max_maps / 4;
  }();
  return affordable;
}

/// Guards of all pools: the limit is the process's.
std::atomic<std::size_t> guards_in_use = 0;

/// Below a pool's stacks of `usable` bytes, from the `stack`-th on.
std::size_t guard_of(std::size_t stack, std::size_t usable) {
  const std::size_t page = page_size();
  if (kGuardsInLargeStack > 0 && usable >= kLargeStack) return std::max(kWideGuard, usable / kGuardsInLargeStack / page * page);
  return stack < kWidelyGuarded ? std::max(kWideGuard, page) : page;
}

}  // namespace

/// Some stacks in one mapping.
class StackPool::Slab {
 public:
  /// `stacks` of `usable` bytes, each with room for `guard` bytes below it. `first`: the number of the first.
  Slab(std::size_t usable, std::size_t guard, std::size_t stacks, std::size_t first)
      : usable_(usable), guard_(guard), stacks_(stacks), first_(first) {
    void* memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw ResourceError(
          fmt::format("no memory for the stacks of more than {} tasks of {} bytes; use fewer ranks or smaller stacks", first,
                      usable + guard));
    }
    memory_ = static_cast<std::byte*>(memory) + page_size();
  }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() {
    renew();
    munmap(memory_ - page_size(), bytes());
    guards_in_use -= guards_;
  }

  std::size_t stacks() const { return stacks_; }
  /// The `i`-th, after all before it. Whoever takes it first has it protected: by a guard where take_guard() says so.
  template <class TakeGuard>
  Stack take(std::size_t i, const TakeGuard& take_guard) {
    std::byte* const low = memory_ + i * (usable_ + guard_);
    if (i == protected_) {
      protect(i, take_guard());
      ++protected_;
    }
    const std::size_t unused = (kStaggers - 1 - (first_ + i) % kStaggers) * kStagger + kCanaryBytes;
    return {.top = low + usable_ + guard_ - unused,
            .bottom = bottom_of(i),
            .guarded = guarded_[i],
            .guard_bytes = guarded_[i] ? static_cast<std::uint32_t>(guard_) : 0};
  }
  /// Whether they are of that size, all guarded so.
  bool fits(std::size_t usable, std::size_t guard) const {
    return usable_ == usable && guard_ == guard && guarded_.count() == protected_;
  }
  void forget() { forget_stack({memory_ - page_size(), bytes()}); }
  void renew() { renew_stack({memory_ - page_size(), bytes()}); }

 private:
  /// With a page before the first stack, for its canary.
  std::size_t bytes() const { return page_size() + (usable_ + guard_) * stacks_; }

  /// Without a guard, that of one page is left to the stack.
  std::byte* bottom_of(std::size_t i) const {
    std::byte* const low = memory_ + i * (usable_ + guard_);
    return guarded_[i] || guard_ > page_size() ? low + guard_ : low;
  }

  void protect(std::size_t i, bool has_guard) {
    std::byte* const low = memory_ + i * (usable_ + guard_);
    guards_ += has_guard ? 1 : 0;
    if (has_guard && mprotect(low, guard_, PROT_NONE) == 0) {
      guarded_.set(protected_);
      return;
    }
    for (std::size_t w = 1; w <= kCanaryWords; ++w) std::memcpy(bottom_of(i) - w * sizeof kCanary, &kCanary, sizeof kCanary);
  }

  std::size_t usable_;
  std::size_t guard_;
  std::size_t stacks_;
  std::size_t first_;
  std::byte* memory_ = nullptr;  ///< of the first stack
  std::size_t protected_ = 0;    ///< the first so many are
  std::size_t guards_ = 0;       ///< that count as in use
  std::bitset<kStacksPerSlab> guarded_;
};

/// What a thread keeps for its next pool. Apart for each thread, as what threads share makes them wait for each other.
class StackPool::KeptSlabs {
 public:
  static KeptSlabs& of_this_thread() {
    thread_local KeptSlabs kept;
    return kept;
  }

  /// If there is room.
  void keep(std::unique_ptr<Slab>& slab) {
    const auto free = std::find(slabs_.begin(), slabs_.end(), nullptr);
    if (free == slabs_.end()) return;
    slab->forget();
    *free = std::move(slab);
  }

  /// nullptr: there is none like that.
  std::unique_ptr<Slab> take(std::size_t usable, std::size_t guard) {
    const auto found = std::ranges::find_if(slabs_, [&](const auto& slab) { return slab && slab->fits(usable, guard); });
    if (found == slabs_.end()) return nullptr;
    (*found)->renew();
    return std::move(*found);
  }

 private:
  std::array<std::unique_ptr<Slab>, kMostKeptSlabs> slabs_;  ///< in no memory that a pool that ends might not get
};

StackPool::StackPool(std::size_t stack_bytes, std::optional<std::size_t> most_guards) : most_guards_(most_guards) {
  const std::size_t page = page_size();
  // The stagger eats from the top; the canary or the guard page from the bottom.
  const std::size_t usable = std::max<std::size_t>(stack_bytes, 16 * 1024) + kStagger * kStaggers;
  usable_ = (usable + page - 1) / page * page;
}

StackPool::~StackPool() {
  std::size_t stacks = 0;
  for (std::unique_ptr<Slab>& slab : slabs_) {
    const std::size_t guard = guard_of(stacks, usable_);
    stacks += slab->stacks();
    const bool is_affordable = stacks <= kAlwaysKept || (stacks <= kMostKept && guards_in_use <= affordable_guards() / 2);
    if (is_affordable && slab->fits(usable_, guard)) KeptSlabs::of_this_thread().keep(slab);
  }
}

bool StackPool::take_guard() {
  if (most_guards_ && guards_ >= *most_guards_) return false;
  if (guards_in_use.fetch_add(1) >= affordable_guards()) {
    --guards_in_use;
    return false;
  }
  ++guards_;
  return true;
}

void StackPool::add_slab() {
  // Few at first: a run of few ranks that takes less than a millisecond would spend half of it on guard pages.
  const std::size_t stacks = std::clamp(made_, kFewestStacksPerSlab, kStacksPerSlab);
  const std::size_t guard = guard_of(made_, usable_);
  std::unique_ptr<Slab> slab;
  if (made_ < kMostKept && !most_guards_) slab = KeptSlabs::of_this_thread().take(usable_, guard);
  if (!slab) slab = std::make_unique<Slab>(usable_, guard, stacks, made_);
  const std::size_t made = made_ + slab->stacks();
  if (free_.capacity() < made) free_.reserve(2 * made);  // what is given back finds room
  slabs_.push_back(std::move(slab));
  made_ = made;
  taken_ = 0;
}

StackPool::Stack StackPool::take() {
  if (!free_.empty()) {
    const Stack stack = free_.back();
    free_.pop_back();
    return stack;
  }
  if (slabs_.empty() || taken_ == slabs_.back()->stacks()) add_slab();
  return slabs_.back()->take(taken_++, [this] { return take_guard(); });
}

bool StackPool::intact(const Stack& stack) {
  if (stack.guarded) return true;
  for (std::size_t w = 0; w < kCanaryWords; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, stack.bottom - kCanaryBytes + w * sizeof word, sizeof word);
    if (word != kCanary) return false;
  }
  return true;
}

constinit thread_local const RunningTask* running_task = nullptr;
constinit thread_local std::uint64_t slices_of_tasks = 0;
constinit thread_local bool waits_for_tasks = false;
constinit thread_local const Time* emulated_time = nullptr;

namespace {

constexpr std::array<int, 2> kSignals = {SIGSEGV, SIGBUS};

// What a handler can reach is global.
std::array<struct sigaction, kSignals.size()> actions_before = {};
std::atomic<int> passed_on = 0;
std::atomic<bool> may_watch = false;
std::atomic<OverflowHandler> first_told = nullptr;

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
  if (is_overflow(*info, context)) {
    if (const OverflowHandler first = first_told) first(running_task->stack_bytes, context);
    say_overflow(*running_task);
  }
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

void let_watch_for_overflows(OverflowHandler first) {
  if (first != nullptr) first_told = first;
  may_watch = true;
}

void watch_for_overflows() {
  if (!may_watch) return;
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
