// SPDX-License-Identifier: Apache-2.0
#include "tests/property/every_row.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emu/switches/in_network.hpp"
#include "tests/whole_path.hpp"

namespace heddle::testing {

namespace {

Placement placement_of(const RowCase& what, const Topology& topology) {
  if (what.placement_seed == 0) return linear_placement(topology.endpoints(), topology);
  return random_placement(topology.endpoints(), topology, what.placement_seed);
}

}  // namespace

Fabric RowCase::fabric() const {
  FabricSettings speeds;
  speeds.alpha = Time::ps(1'000'000);
  speeds.hop = Time::ps(50'000);
  return {parse_topology(topology), speeds};
}

Shape RowCase::shape() const {
  const Fabric on = fabric();
  const Topology& shape_of = on.topology();
  const Placement placement = placement_of(*this, shape_of);
  Shape shape{.ranks = shape_of.endpoints(),
              .count = count * scale,
              .bytes = count * scale * static_cast<std::int64_t>(type.size()),
              .root = root,
              .equal_blocks = blocks.empty()};
  if (const Grid* grid = shape_of.grid()) {
    shape.dims = grid->dims();
    shape.wraps = grid->wraps();
  }
  shape.in_network = InNetworkQuestion(on, placement, type);
  if (placement.size() > 1) shape.cost = message_cost(on, placement[0], placement[1]);
  shape.tiers = tiers_of(placement, shape_of);
  return shape;
}

std::string RowCase::text() const {
  std::string text = fmt::format(
      "heddle run {} --algo {} --topo {} --alpha 1us --hop 50ns --size {} --datatype {} --root {} --seed {}{}",
      to_string(algorithm.collective), algorithm.name, topology, count * scale * static_cast<std::int64_t>(type.size()),
      to_string(type), root, seed, in_place ? "" : " --out-of-place");
  if (reduces(algorithm.collective)) text += fmt::format(" --op {}", op->name());
  if (placement_seed != 0) text += fmt::format(" --placement random:{}", placement_seed);
  if (!blocks.empty()) text += fmt::format(" --blocks {}", fmt::join(blocks, ","));
  if (settings.buffering.credits) text += fmt::format(" --buffering {}", to_string(settings.buffering));
  if (settings.order_seed) text += fmt::format(" --order-seed {}", *settings.order_seed);
  if (settings.threads == Threads::kernel) text += " --threads kernel";
  return text;
}

Report run(const RowCase& what) {
  const Fabric fabric = what.fabric();
  const CollectiveCall call{.collective = what.algorithm.collective,
                            .function = what.algorithm.run,
                            .name = what.algorithm.name,
                            .type = what.type,
                            .op = what.op,
                            .count = what.count * what.scale,
                            .seed = what.seed,
                            .held = what.count,
                            .root = Rank(what.root),
                            .blocks = what.blocks,
                            .in_place = what.in_place};
  Report report = run_checked(fabric, placement_of(what, fabric.topology()), call, what.settings);
  testing::require_whole_path(report);
  return report;
}

}  // namespace heddle::testing
