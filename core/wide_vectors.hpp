// SPDX-License-Identifier: Apache-2.0
// Loops that are compiled twice: as the preset says, and for processors that take eight 32-bit numbers at once (AVX2). Any thread.
#pragma once

namespace heddle {

#if defined(__x86_64__)
/// Before a function that is called only where has_wide_vectors(): it and all that it calls are compiled for these.
#define HEDDLE_WIDELY [[gnu::target("avx2"), gnu::flatten]]

inline bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
#define HEDDLE_WIDELY

inline bool has_wide_vectors() { return false; }
#endif

}  // namespace heddle
