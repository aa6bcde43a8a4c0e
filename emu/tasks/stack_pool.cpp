// SPDX-License-Identifier: Apache-2.0
#include "emu/tasks/stack_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>

#include "core/errors.hpp"
#include "emu/tasks/fiber_annotations.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kStacksPerSlab = 64;
constexpr std::size_t kFewestStacksPerSlab = 8;
constexpr std::uint64_t kCanary = 0x68656464'6c652e2eULL;
constexpr std::size_t kCanaryWords = 8;
// Stacks begin at different offsets within a page: 32 of them, two cache lines apart.
constexpr std::size_t kStagger = 128;
constexpr std::size_t kStaggers = 32;
// What one frame may be large without stepping over the guard. Addresses alone: but thousands of stacks that lie so far apart
// would each need a page table of their own, and AddressSanitizer keeps a shadow of all.
constexpr std::size_t kWideGuard = kFrameGrowth > 1 ? 0 : std::size_t{256} * 1024;
constexpr std::size_t kWidelyGuarded = 128;

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A guard splits its mapping: it costs two maps. Half of the limit stays for everything else in the process.
std::size_t affordable_guards() {
  std::size_t max_maps = 65530;
  std::ifstream("/proc/sys/vm/max_map_count") >> max_maps;
  return max_maps / 4;
}

/// Guards of all pools: the limit is the process's.
std::atomic<std::size_t> guards_in_use = 0;

}  // namespace

StackPool::StackPool(std::size_t stack_bytes, std::optional<std::size_t> most_guards) : most_guards_(most_guards) {
  const std::size_t page = page_size();
  // The stagger eats from the top; the canary or the guard page from the bottom.
  const std::size_t usable = std::max<std::size_t>(stack_bytes, 16 * 1024) + kStagger * kStaggers;
  usable_ = (usable + page - 1) / page * page;
}

StackPool::~StackPool() {
  for (const Slab& slab : slabs_) {
    renew_stack({slab.memory, slab.bytes});
    munmap(slab.memory, slab.bytes);
  }
  guards_in_use -= guards_;
}

bool StackPool::take_guard() {
  static const std::size_t affordable = affordable_guards();
  if (most_guards_ && guards_ >= *most_guards_) return false;
  if (guards_in_use.fetch_add(1) >= affordable) {
    --guards_in_use;
    return false;
  }
  ++guards_;
  return true;
}

void StackPool::add_slab() {
  // Few at first: a run of few ranks that takes less than a millisecond would spend half of it on guard pages.
  const std::size_t stacks = std::clamp(made_, kFewestStacksPerSlab, kStacksPerSlab);
  const std::size_t page = page_size();
  const std::size_t guard = made_ < kWidelyGuarded ? std::max(kWideGuard, page) : page;
  const std::size_t stride = usable_ + guard;
  const std::size_t bytes = stride * stacks;
  slabs_.reserve(slabs_.size() + 1);
  free_.reserve(free_.size() + stacks);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw ResourceError(fmt::format(
        "no memory for the stacks of more than {} tasks of {} bytes; use fewer ranks or smaller stacks", made_, stride));
  }
  slabs_.push_back({static_cast<std::byte*>(memory), bytes});
  for (std::size_t i = stacks; i-- > 0;) {
    std::byte* low = static_cast<std::byte*>(memory) + i * stride;
    Stack stack;
    stack.top = low + stride - (kStaggers - 1 - (made_ + i) % kStaggers) * kStagger;
    stack.bottom = low + guard;
    stack.guarded = take_guard() && mprotect(low, guard, PROT_NONE) == 0;
    stack.guard_bytes = stack.guarded ? static_cast<std::uint32_t>(guard) : 0;
    if (!stack.guarded) {
      for (std::size_t w = 0; w < kCanaryWords; ++w) std::memcpy(stack.bottom + w * sizeof kCanary, &kCanary, sizeof kCanary);
    }
    free_.push_back(stack);
  }
  made_ += stacks;
}

StackPool::Stack StackPool::take() {
  if (free_.empty()) add_slab();
  const Stack stack = free_.back();
  free_.pop_back();
  return stack;
}

bool StackPool::intact(const Stack& stack) {
  if (stack.guarded) return true;
  for (std::size_t w = 0; w < kCanaryWords; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, stack.bottom + w * sizeof word, sizeof word);
    if (word != kCanary) return false;
  }
  return true;
}

}  // namespace heddle::emu
