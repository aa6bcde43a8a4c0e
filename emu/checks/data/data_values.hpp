// SPDX-License-Identifier: Apache-2.0
// What is in the data of a checked call.
#pragma once

#include <cstdint>

namespace heddle {

enum class DataValues : std::uint8_t {
  usual,
  /// NaN, infinities, both zeros and subnormal numbers among them, to be copied bit for bit; those that are compared have one
  /// NaN, the quiet one. Of calls that reduce by another operation than min and max: as usual.
  special,
  /// Of any type: stretches of 0, stretches in which a rank's elements are all alike, and single 0 among the others. What is only
  /// moved has stretches of equal bytes. Where a 0 would hide the others' (a product, a bitwise and, a user's operation), none.
  runs,
};

}  // namespace heddle
