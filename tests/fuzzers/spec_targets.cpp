// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "emu/run/emulate.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/registry.hpp"
#include "heddle/units.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/rank_groups.hpp"
#include "lab/describe/tier_values.hpp"
#include "lab/describe/uneven_data.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/run/algorithm_choice.hpp"
#include "lab/run/setup.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "tests/fuzzers/refusal.hpp"
#include "tests/fuzzers/targets.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/routing.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::fuzzers {

namespace {

constexpr int kSomeRanks = 16;

/// With a grid and groups of near endpoints between them.
const Fabric& torus() {
  static const Fabric kTorus(parse_topology("torus:4x4"), FabricSettings{});
  return kTorus;
}
const Fabric& leaves() {
  static const Fabric kLeaves(parse_topology("clos:hosts=4,leaves=4,spines=2"), FabricSettings{});
  return kLeaves;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void numbers(std::string_view text) {
  may_refuse([text] {
    const std::int64_t number = parse_integer(text, -3, 1000);
    require(number >= -3 && number <= 1000, "an integer out of its range");
  });
  may_refuse([text] { parse_seed(text); });
  may_refuse([text] { parse_factor(text); });
  may_refuse([text] { parse_buffering(text); });
  may_refuse([text] { parse_model(text); });
  may_refuse([text] { parse_tier_values(text, parse_bandwidth); });
  may_refuse([text] { parse_tier_values(text, parse_time); });
  may_refuse([text] { require(!parse_sizes(text).empty(), "no sizes"); });
  may_refuse([text] { require(parse_rank_counts(text).front() >= 1, "no ranks"); });
  may_refuse([text] { parse_shard(text); });
  may_refuse([text] { listed_count(text); });
  may_refuse([text] {
    const BlockSizes blocks = parse_blocks(text, 1000, kSomeRanks);
    require(blocks.empty() || blocks.size() == kSomeRanks, "not a block for each rank");
  });
  may_refuse([text] { require(parse_skew(text, kSomeRanks).size() == kSomeRanks, "not a weight for each rank"); });
  may_refuse([text] { pictures::parse_plot_y(text); });
  may_refuse([text] { parse_schedule(text); });
  require(!split_topologies(text).empty(), "no topologies");
  may_refuse([text] { require(!split_faults(text).empty(), "no points of faults"); });
}

void groups(std::string_view text) {
  for (const Fabric* fabric : {&torus(), &leaves()}) {
    const Topology& topology = fabric->topology();
    may_refuse([&] { require(!parse_groups(text, linear_placement(kSomeRanks, topology), topology).empty(), "no groups"); });
    may_refuse([&] { parse_background(text, *fabric); });
    may_refuse([&] {
      Faults faults;
      add_fault(faults, text, topology, kSomeRanks);
      require(!faults.empty(), "no faults");
    });
  }
}

void algorithm(std::string_view text) {
  Shape shape;
  shape.ranks = kSomeRanks;
  shape.dims = {4, 4};
  shape.count = 1000;
  shape.bytes = 4000;
  for (const Collective collective : all_collectives()) {
    may_refuse([&] { find_algorithm(collective, text); });
    may_refuse([&] { choose_algorithms(collective, text, std::span(&shape, 1), ReduceOp::sum(), Unfitting::left_out); });
  }
}

}  // namespace heddle::fuzzers
