// SPDX-License-Identifier: Apache-2.0
// Under ThreadSanitizer each switch between ranks is one of kernel threads: what takes a second elsewhere takes minutes. Tests
// of numbers run a sample there; what ThreadSanitizer looks for is the same in the rest.
#pragma once

namespace heddle::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

/// One of the two.
template <class T>
constexpr T sampled(T all, T under_thread_sanitizer) {
  return kUnderThreadSanitizer ? under_thread_sanitizer : all;
}

}  // namespace heddle::testing
