// SPDX-License-Identifier: Apache-2.0
// What a switch can do besides forwarding (Collectives Explainer 04, §1).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "heddle/datatype.hpp"

namespace heddle {

struct SwitchOffers {
  bool alu = false;             ///< many in, one out: reduces what comes in element by element
  bool multicast = false;       ///< one in, many out: sends copies
  bool scatter_gather = false;  ///< many in, many out: takes one transfer from a rank apart by destination

  int radix = std::numeric_limits<int>::max();  ///< the most ports of this switch that can take part
  std::int64_t alignment = 1;                   ///< bytes: a vector must be a multiple of it
  /// bf16 or f16: where the vector is of f32, the ALU takes and gives numbers of this type and computes in f32. No value, and
  /// of all other types: as they are.
  std::optional<Datatype> precision;

  bool computes() const { return alu || multicast || scatter_gather; }
};

}  // namespace heddle
