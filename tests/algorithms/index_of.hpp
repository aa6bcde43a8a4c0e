// SPDX-License-Identifier: Apache-2.0
// A rank, block or step as an index of a vector.
#pragma once

#include <cstddef>

namespace heddle::testing {

constexpr std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

}  // namespace heddle::testing
