// SPDX-License-Identifier: Apache-2.0
// Every row of the registry on a fabric: what it may be asked, and a checked run of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "emu/checks/checked_run.hpp"
#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle::testing {

/// One call of one algorithm, drawn or written down.
struct RowCase {
  Algorithm algorithm;
  std::string topology = "star:4";
  std::uint64_t placement_seed = 0;  ///< 0: linear
  std::int64_t count = 0;
  std::vector<std::int64_t> blocks = {};  ///< empty: even
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();
  int root = 0;
  bool in_place = true;
  std::uint64_t seed = 1;
  std::int64_t scale = 1;  ///< bytes charged per byte held
  EmulationSettings settings = {};

  Fabric fabric() const;
  /// The variables of the row's formulas there.
  Shape shape() const;
  bool fits() const { return why_not(algorithm, shape(), *op).empty(); }
  /// All that a reader needs to repeat it.
  std::string text() const;
};

Report run(const RowCase& what);

}  // namespace heddle::testing
