// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/hamiltonian.hpp"

namespace heddle::schedule {

std::vector<Node2d> hamiltonian_cycle(int rows, int columns, int cycle) {
  std::vector<Node2d> nodes;
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < columns; ++b) {
      if (cycle == 0) {
        nodes.push_back({a, (b + columns - a % columns) % columns});
      } else {
        const long turn = static_cast<long>(a) * (columns - 1) + b;
        nodes.push_back({static_cast<int>(turn % rows), a % columns});
      }
    }
  }
  return nodes;
}

std::optional<int> dimension_of_rows(const std::vector<int>& sizes) {
  if (sizes.size() != 2) return std::nullopt;
  if (has_hamiltonian_cycles(sizes[0], sizes[1])) return 0;
  if (has_hamiltonian_cycles(sizes[1], sizes[0])) return 1;
  return std::nullopt;
}

}  // namespace heddle::schedule
