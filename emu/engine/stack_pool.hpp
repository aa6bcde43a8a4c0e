// SPDX-License-Identifier: Apache-2.0
// Stacks for user-level tasks: mapped in slabs, handed out again, protected against overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "emu/engine/tasks.hpp"

namespace heddle::emu {

/// Each stack has a guard below it, wide for the first of a pool and then of one page, as long as the system's limit on memory maps
/// allows for all pools of the process together (emulations may run side by side); further ones have a canary, which intact()
/// compares. Tops are staggered so that many shallow stacks do not compete for the same cache sets.
///
/// The first thousands of stacks of a pool outlive it: the thread that it ends on keeps them for its next one. To map and to protect
/// them takes longer than a small run, and the threads of a process wait for each other in it.
class StackPool {
 public:
  struct Stack {
    std::byte* top = nullptr;     ///< where it begins (it grows down)
    std::byte* bottom = nullptr;  ///< its last usable byte's address
    bool guarded = false;
    std::uint32_t guard_bytes = 0;  ///< below the bottom, if it is guarded
  };

  /// `most_guards`, if given, in place of what the system allows: a test gets to the canaries with few stacks.
  explicit StackPool(std::size_t stack_bytes, std::optional<std::size_t> most_guards = {});
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// Throws InputError when memory is exhausted.
  Stack take();
  void give_back(Stack stack) { free_.push_back(stack); }

  /// False: the task ran over the end of its stack. Always true where a guard page would have stopped it.
  static bool intact(const Stack& stack);

 private:
  class Slab;
  class KeptSlabs;

  void add_slab();
  /// Whether one more stack may have a guard page; if so it is counted.
  bool take_guard();

  std::size_t usable_;  ///< of each stack, whole pages
  std::optional<std::size_t> most_guards_;
  std::size_t guards_ = 0;  ///< of this pool
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::size_t taken_ = 0;    ///< of the last slab
  std::vector<Stack> free_;  ///< that were given back
};

// A task that runs over the end of its stack ends the process: the last line says which rank, and how large its stack is.

/// What comes after the rank in that line, which begins with "heddle: ".
inline constexpr std::string_view kOverflowWords = " ran over the end of its stack of ";

/// Writes the line to standard error. A signal handler may call it.
void say_overflow(const RunningTask& task);

/// From now on watch_for_overflows() does something: a process's signals are its owner's until then.
/// `first` is called before anything is said, in a handler, with the stack's size and the handler's context; it need not return.
using OverflowHandler = void (*)(std::size_t stack_bytes, const void* context);
void let_watch_for_overflows(OverflowHandler first = nullptr);

/// From now on, for the calling thread's tasks: SIGSEGV and SIGBUS that come of a stack's end are first said, by a handler on a
/// stack of its own; then they, and all others, are whose they were before. Cheap where that is so already.
void watch_for_overflows();

}  // namespace heddle::emu
