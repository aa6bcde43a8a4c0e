// SPDX-License-Identifier: Apache-2.0
// How much the tests do: HEDDLE_TEST_EFFORT=quick (the default) runs a sample wherever many cases show the same, thorough all
// of them. What quick leaves out, thorough has.
#pragma once

#include <string_view>

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

}  // namespace heddle::testing
