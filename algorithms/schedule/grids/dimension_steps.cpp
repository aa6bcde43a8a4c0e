// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/dimension_steps.hpp"

#include <algorithm>

namespace heddle::schedule {

std::vector<DimensionStep> interleaved_steps(std::span<const int> steps, int first_dimension) {
  const int dimensions = static_cast<int>(steps.size());
  const int most = steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
  std::vector<DimensionStep> order;
  for (int step = 0; step < most; ++step) {
    for (int i = 0; i < dimensions; ++i) {
      const int dimension = (first_dimension + i) % dimensions;
      if (step < steps[static_cast<std::size_t>(dimension)]) order.push_back({dimension, step});
    }
  }
  return order;
}

}  // namespace heddle::schedule
