// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle {

/// What a message between two near ranks costs alone: latency + bytes · seconds_per_byte. A hint for choosing how finely to
/// cut (the segments of a pipeline), never a promise. Zero where nothing is known.
struct MessageCost {
  double latency = 0;           ///< seconds: α + L(P)
  double seconds_per_byte = 0;  ///< β, per byte that the algorithm holds
};

}  // namespace heddle
