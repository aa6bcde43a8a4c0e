// SPDX-License-Identifier: Apache-2.0
// Tells AddressSanitizer when user-level threads switch stacks (sanitizer/common_interface_defs.h): without, it takes a stack
// that it does not know for a fault. Nothing in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle::emu {

struct StackRegion {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

#if defined(__SANITIZE_ADDRESS__)

/// How much larger frames are than in other builds, about.
inline constexpr std::size_t kFrameGrowth = 4;

/// Around one switch away from a stack and back to it.
class SwitchAway {
 public:
  /// To `to`, whose strand runs until it switches back.
  explicit SwitchAway(StackRegion to) { __sanitizer_start_switch_fiber(&fake_stack_, to.bottom, to.size); }
  /// On the own stack again; the stack that was left.
  StackRegion back() {
    StackRegion from;
    __sanitizer_finish_switch_fiber(fake_stack_, &from.bottom, &from.size);
    return from;
  }

 private:
  void* fake_stack_ = nullptr;
};

/// First thing on a new stack; the stack that was left.
inline StackRegion begin_stack() {
  StackRegion from;
  __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.size);
  return from;
}
/// Last thing on a stack that is never returned to.
inline void end_stack(StackRegion to) { __sanitizer_start_switch_fiber(nullptr, to.bottom, to.size); }

/// Stacks that are used again, by another strand or, once unmapped, by anyone: what their strands left marked is free.
inline void renew_stack(StackRegion stack) { __asan_unpoison_memory_region(stack.bottom, stack.size); }

#else

inline constexpr std::size_t kFrameGrowth = 1;

class SwitchAway {
 public:
  explicit SwitchAway(StackRegion) {}
  StackRegion back() { return {}; }
};
inline StackRegion begin_stack() { return {}; }
inline void end_stack(StackRegion) {}
inline void renew_stack(StackRegion) {}

#endif

}  // namespace heddle::emu
