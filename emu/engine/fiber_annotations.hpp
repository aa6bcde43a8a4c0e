// SPDX-License-Identifier: Apache-2.0
// Informs AddressSanitizer when user-level threads switch stacks (sanitizer/common_interface_defs.h): without, it takes a stack
// that it does not know for an error. Nothing in other builds.
#pragma once

#include <cstddef>

#include "core/sanitizers.hpp"

#if HEDDLE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle::emu {

struct StackRegion {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

#if HEDDLE_ADDRESS_SANITIZER

/// How much larger frames are than in other builds, about.
inline constexpr std::size_t kFrameGrowth = 4;

/// Lives while one stack is left for another: from the switch away until it is back, also by an exception that unwinds the
/// stack.
class SwitchAway {
 public:
  /// To `to`, whose task runs until it switches back. `left`: takes the stack that was left for this one again.
  explicit SwitchAway(StackRegion to, StackRegion* left = nullptr) : left_(left) {
    __sanitizer_start_switch_fiber(&fake_stack_, to.bottom, to.size);
  }
  ~SwitchAway() {
    StackRegion from;
    __sanitizer_finish_switch_fiber(fake_stack_, &from.bottom, &from.size);
    if (left_ != nullptr) *left_ = from;
  }
  SwitchAway(const SwitchAway&) = delete;
  SwitchAway& operator=(const SwitchAway&) = delete;

 private:
  void* fake_stack_ = nullptr;
  StackRegion* left_;
};

/// The life of a new stack: first thing on it, and gone last, however its task ends. A stack that went without a word would
/// be taken for the one that runs from then on, and what the scheduler's stack has marked would stay when an exception leaves
/// it.
class OnStack {
 public:
  /// `left`: takes the stack that was left for this one, and is the one that it leaves to in the end.
  explicit OnStack(StackRegion& left) : left_(left) { __sanitizer_finish_switch_fiber(nullptr, &left.bottom, &left.size); }
  ~OnStack() { __sanitizer_start_switch_fiber(nullptr, left_.bottom, left_.size); }
  OnStack(const OnStack&) = delete;
  OnStack& operator=(const OnStack&) = delete;

 private:
  StackRegion& left_;
};

/// Stacks that are used again, by another task or, once unmapped, by anyone: what their tasks left marked is free.
/// Nobody may use it until then.
inline void forget_stack(StackRegion stack) { __asan_poison_memory_region(stack.bottom, stack.size); }
inline void renew_stack(StackRegion stack) { __asan_unpoison_memory_region(stack.bottom, stack.size); }

#else

inline constexpr std::size_t kFrameGrowth = 1;

class SwitchAway {
 public:
  explicit SwitchAway(StackRegion, StackRegion* = nullptr) {}
};
class OnStack {
 public:
  explicit OnStack(StackRegion&) {}
};
inline void forget_stack(StackRegion) {}
inline void renew_stack(StackRegion) {}

#endif

}  // namespace heddle::emu
