// SPDX-License-Identifier: Apache-2.0
// How much the tests do. HEDDLE_TEST_EFFORT=quick (the default) runs a sample wherever many cases show the same, thorough all of
// them. What quick leaves out, thorough has. With a sanitizer each access is checked, and under ThreadSanitizer each switch between
// ranks is one of kernel threads: what takes a second elsewhere takes minutes. Tests run a sample there; what a sanitizer looks for
// is the same in the rest.
#pragma once

#include <string_view>

#include "core/sanitizers.hpp"

namespace heddle::testing {

enum class Effort { quick, thorough };

/// The environment's. One that it does not know ends the program with status 2 and a line that says so.
Effort effort();
std::string_view to_string(Effort effort);

/// One of the two.
template <class T>
T sample(T quick, T thorough) {
  return effort() == Effort::thorough ? thorough : quick;
}

inline constexpr bool kUnderThreadSanitizer = HEDDLE_THREAD_SANITIZER;
inline constexpr bool kUnderAddressSanitizer = HEDDLE_ADDRESS_SANITIZER;

/// One of the three.
template <class T>
constexpr T sampled(T all, T under_address_sanitizer, T under_thread_sanitizer) {
  if (kUnderThreadSanitizer) return under_thread_sanitizer;
  return kUnderAddressSanitizer ? under_address_sanitizer : all;
}

/// One of the two.
template <class T>
constexpr T sampled(T all, T with_a_sanitizer) {
  return sampled(all, with_a_sanitizer, with_a_sanitizer);
}

}  // namespace heddle::testing
