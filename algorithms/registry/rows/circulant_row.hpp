// SPDX-License-Identifier: Apache-2.0
// What the rows of reduce_scatter, allgather and allreduce say alike of their circulant algorithm and its skips.
#pragma once

#include <string_view>

#include "algorithms/registry/registry.hpp"
#include "algorithms/schedule/skips/circulant_skips.hpp"

namespace heddle {

/// What they do not say alike.
struct CirculantRow {
  Collective collective;
  std::string_view summary;
  std::string_view source;
  int phases;  ///< 1: through the skips once; 2: forwards and backwards
  CollectiveFunction run;
  Algorithm (*with)(const schedule::CirculantSkips&);  ///< the row for other skips
};

Algorithm circulant_row(const schedule::CirculantSkips& skips, CirculantRow row);

}  // namespace heddle
