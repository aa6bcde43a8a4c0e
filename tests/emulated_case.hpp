// SPDX-License-Identifier: Apache-2.0
// A call on an emulated fabric as tests make it: on every endpoint unless the placement says otherwise, all of the data held.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "emu/checks/checked_run.hpp"
#include "emu/switches/in_network.hpp"
#include "tests/whole_path.hpp"
#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle::testing {

struct EmulatedCase {
  const Fabric& fabric;
  Collective collective = Collective::allreduce;
  std::int64_t count = 0;  ///< an alltoall of equal blocks takes the multiple of p below
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();
  int root = 0;
  bool in_place = true;
  std::vector<std::int64_t> blocks = {};
  std::string placed = "linear";

  int ranks() const { return ranks_of_placement(placed).value_or(fabric.topology().endpoints()); }
  Placement placement() const { return parse_placement(placed, ranks(), fabric.topology()); }

  std::int64_t elements() const {
    if (collective == Collective::barrier) return 0;
    return collective == Collective::alltoall && blocks.empty() ? count / ranks() * ranks() : count;
  }

  /// The variables of a row's formulas.
  Shape shape() const {
    const Placement endpoints = placement();
    const std::optional<Grid> grid = grid_under(endpoints, fabric.topology());
    Shape shape;
    shape.ranks = ranks();
    if (grid) {
      shape.dims = grid->dims();
      shape.wraps = grid->wraps();
    }
    shape.count = elements();
    shape.bytes = shape.count * static_cast<std::int64_t>(type.size());
    shape.root = root;
    shape.equal_blocks = blocks.empty();
    if (ranks() > 1) shape.cost = message_cost(fabric, endpoints[0], endpoints[1]);
    shape.tiers = tiers_of(endpoints, fabric.topology());
    shape.in_network = InNetworkQuestion(fabric, endpoints, type);
    return shape;
  }

  bool suits(const Algorithm& algorithm) const { return why_not(algorithm, shape(), *op).empty(); }

  CollectiveCall call(const Algorithm& algorithm) const {
    CollectiveCall call;
    call.collective = collective;
    call.function = algorithm.run;
    call.name = algorithm.name;
    call.type = type;
    call.op = op;
    call.count = call.held = elements();
    call.root = Rank(root);
    call.blocks = blocks;
    call.in_place = in_place;
    return call;
  }

  Report run(const Algorithm& algorithm, const EmulationSettings& settings = {}) const {
    Report report = run_checked(fabric, placement(), call(algorithm), settings);
    require_whole_path(report);
    return report;
  }

  std::string name() const {
    std::string text = to_string(collective) + " on " + fabric.topology().spec() + ", placement " + placed + ", count " +
                       std::to_string(elements());
    if (has_root(collective)) text += ", root " + std::to_string(root);
    if (!blocks.empty()) text += ", blocks of given sizes";
    return text + (in_place ? ", in place" : ", out of place");
  }
};

}  // namespace heddle::testing
