// SPDX-License-Identifier: Apache-2.0
// Every row of the registry on parts of the ranks: split communicators, several at once, apart and overlapping.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "emu/check/checked_run.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/registry_rows.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using Groups = std::vector<std::vector<int>>;

struct Partition {
  std::string topology;
  std::string name;
  Groups groups;
};

std::vector<int> range(int first, int end, int step = 1) {
  std::vector<int> ranks;
  for (int rank = first; step > 0 ? rank < end : rank > end; rank += step) ranks.push_back(rank);
  return ranks;
}

std::vector<Partition> partitions() {
  const Partition in_a_chain{"star:6", "overlapping in a chain", {{0, 1, 2}, {2, 3}, {3, 4, 5}, {5, 0}}};
  const Partition unequal{"ring:7", "unequal halves and one by itself", {{0, 2, 1}, {6}, {3, 4, 5}}};
  if (testing::kUnderThreadSanitizer) return {in_a_chain};
  const Partition crossing{
      "torus:3x4", "rows and columns at once", {range(0, 4), range(4, 8), range(8, 12), {8, 4, 0}, {1, 5, 9}, {2, 6, 10}}};
  const Partition of_all_sizes{
      "torus:4x4", "a row, a column, a corner and what is left", {range(4, 8), {0, 12, 8}, {3, 2, 11}, {13, 14, 15, 9, 10}}};
  if (testing::kUnderThreadSanitizer) return {unequal, of_all_sizes};
  if (testing::effort() == testing::Effort::quick) return {in_a_chain, unequal, crossing, of_all_sizes};
  return {
      in_a_chain,
      unequal,
      crossing,
      of_all_sizes,
      {"torus:4x4", "two halves", {range(0, 8), range(8, 16)}},
      {"torus:4x4", "odd and even", {range(0, 16, 2), range(1, 16, 2)}},
      {"torus:4x4", "reversed", {range(15, -1, -1)}},
      {"mesh:2x3x2", "planes", {range(0, 6), range(6, 12)}},
  };
}

/// What the row is asked to serve in each group.
std::vector<Shape> shapes_of(const Partition& partition, const Fabric& fabric, std::int64_t count) {
  std::vector<Shape> shapes;
  for (const std::vector<int>& group : partition.groups) {
    Shape shape{.ranks = static_cast<int>(group.size()), .count = count, .bytes = 4 * count};
    const Placement endpoints(group.begin(), group.end());
    if (const std::optional<Grid> grid = grid_under(endpoints, fabric.topology())) {
      shape.dims = grid->dims();
      shape.wraps = grid->wraps();
    }
    if (group.size() > 1) shape.cost = message_cost(fabric, group[0], group[1]);
    shape.tiers = tiers_of(endpoints, fabric.topology());
    shapes.push_back(shape);
  }
  return shapes;
}

std::int64_t common_multiple(const Groups& groups) {
  std::int64_t multiple = 1;
  for (const std::vector<int>& group : groups) multiple = std::lcm(multiple, static_cast<std::int64_t>(group.size()));
  return multiple;
}

void check_right(const Algorithm& algorithm, const Partition& partition, CollectiveCall call,
                 const EmulationSettings& settings = {}) {
  const Fabric fabric(parse_topology(partition.topology), {});
  call.collective = algorithm.collective;
  call.function = algorithm.run;
  call.name = algorithm.name;
  if (algorithm.collective == Collective::barrier) call.count = 0;
  if (algorithm.collective == Collective::alltoall) {
    call.count = common_multiple(partition.groups);
    call.in_place = false;
  }
  call.sampled = call.count;
  for (const Shape& shape : shapes_of(partition, fabric, call.count))
    if (!why_not(algorithm, shape, *call.op).empty()) return;
  INFO(to_string(algorithm.collective) << ' ' << algorithm.name << " on " << partition.topology << ", " << partition.name);
  const int ranks = fabric.topology().endpoints();
  REQUIRE_NOTHROW(run_checked_groups(fabric, linear_placement(ranks, fabric.topology()), partition.groups, call, settings));
}

}  // namespace

TEST_CASE("every algorithm is right on split communicators, all of them calling at once") {
  for (const Algorithm& algorithm : testing::registry_entries()) {
    for (const Partition& partition : partitions()) {
      check_right(algorithm, partition, {.function = {}, .count = 23});
      check_right(algorithm, partition, {.function = {}, .count = 1, .in_place = false});
    }
  }
}

TEST_CASE("every algorithm keeps the order of a part's own ranks where it claims to") {
  for (const Algorithm& algorithm : testing::registry_entries()) {
    if (!reduces(algorithm.collective)) continue;
    for (const Partition& partition : partitions())
      check_right(algorithm, partition, {.function = {}, .type = affine_type(), .op = &affine_op(), .count = 11});
  }
}

TEST_CASE("no algorithm on a part relies on buffers or on the order of one instant") {
  EmulationSettings settings;
  settings.buffering = Buffering::synchronous();
  settings.order_seed = 5;
  for (const Algorithm& algorithm : testing::registry_entries())
    for (const Partition& partition : partitions()) check_right(algorithm, partition, {.function = {}, .count = 40}, settings);
}

TEST_CASE("a row or a plane of a torus is a grid for what needs one") {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.needs.grid) continue;
    const Fabric fabric(parse_topology("torus:3x4"), {});
    const Partition rows{"torus:3x4", "rows", {range(0, 4), range(4, 8), range(8, 12)}};
    for (const Shape& shape : shapes_of(rows, fabric, 100))
      CHECK(why_not(algorithm, shape, ReduceOp::sum()).find("grid") == std::string::npos);
  }
}

}  // namespace heddle
