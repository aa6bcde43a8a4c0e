// SPDX-License-Identifier: Apache-2.0
// What floats are in the data of a checked call.
#pragma once

#include <cstdint>

namespace heddle {

enum class DataValues : std::uint8_t {
  usual,
  /// NaN, infinities, both zeros and subnormal numbers among them, to be copied bit for bit; those that are compared have one
  /// NaN, the quiet one. Of calls that reduce by another operation than min and max: as usual.
  special,
};

}  // namespace heddle
