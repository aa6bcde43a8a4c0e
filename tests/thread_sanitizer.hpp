// SPDX-License-Identifier: Apache-2.0
// Under ThreadSanitizer each switch between ranks is one of kernel threads: what takes a second elsewhere takes minutes. Tests
// of numbers run a sample there; what ThreadSanitizer looks for is the same in the rest.
#pragma once

#include "core/sanitizers.hpp"

namespace heddle::testing {

inline constexpr bool kUnderThreadSanitizer = HEDDLE_THREAD_SANITIZER;
inline constexpr bool kUnderAddressSanitizer = HEDDLE_ADDRESS_SANITIZER;

/// One of the two.
template <class T>
constexpr T sampled(T all, T under_thread_sanitizer) {
  return kUnderThreadSanitizer ? under_thread_sanitizer : all;
}

/// One of the three, for what is arithmetic alone and slow where each access is checked.
template <class T>
constexpr T sampled(T all, T under_address_sanitizer, T under_thread_sanitizer) {
  return sampled(kUnderAddressSanitizer ? under_address_sanitizer : all, under_thread_sanitizer);
}

}  // namespace heddle::testing
