// SPDX-License-Identifier: Apache-2.0
// Runs any row of the registry on the plain communicator, where nothing but core/ is under it, and compares with a result
// that is computed straight from the collective's definition.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/grid.hpp"

namespace heddle::testing {

/// A line of ranks without a grid, or a grid.
struct Layout {
  int ranks;
  std::shared_ptr<const Grid> grid = nullptr;
  Tiers tiers = {};  ///< none: flat

  std::string name() const;
};
Layout line(int ranks);
Layout box(std::vector<int> dims);
/// Ranks in groups of these sizes, and the groups in groups of so many, and so on.
Layout groups_of(const std::vector<std::vector<int>>& sizes);
/// Ranks that do not count row-major.
Layout shuffled_box(const std::vector<int>& dims);

struct WitnessCase {
  Layout layout;
  std::int64_t count = 0;
  Datatype type = Datatype::u64();
  const ReduceOp* op = &ReduceOp::sum();
  int root = 0;
  bool in_place = true;
  int calls = 2;
  /// Sizes of the p blocks, `count` in all; empty: as evenly as it goes. An alltoall's block from i to j has the size of
  /// number (i + j) mod p; without sizes, all have count/p elements.
  std::vector<std::int64_t> sizes = {};

  /// The variables of the row's formulas.
  Shape shape() const;
  std::string name() const;
};

struct Outcome {
  std::string failure;     ///< "" if every call's result was right on every rank and no input was changed
  int rounds = 0;          ///< of all calls
  std::int64_t bytes = 0;  ///< the most that one rank sent
};

/// Calls back to back on one communicator with different data; roots advance by one from call to call.
Outcome witness(const Algorithm& algorithm, const WitnessCase& what);

}  // namespace heddle::testing
