// SPDX-License-Identifier: Apache-2.0
// Every row of the registry on emulated fabrics, all checks on: results, order, hygiene, buffering.
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "core/affine.hpp"
#include "emu/checked_run.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

Shape shape_of(const Topology& topology) {
  return {.ranks = topology.endpoints(),
          .dims = topology.grid() ? topology.grid()->dims() : std::vector<int>{},
          .wraps = !topology.grid() || topology.grid()->wraps()};
}

Report run(const Algorithm& algorithm, const Fabric& fabric, std::int64_t count, Datatype type, const ReduceOp& op,
           EmulationSettings settings = {}) {
  const CollectiveCall call{.collective = algorithm.collective,
                            .function = algorithm.run,
                            .name = std::string(algorithm.name),
                            .type = type,
                            .op = &op,
                            .count = count,
                            .held = count};
  return run_checked(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), call, settings);
}

std::vector<std::string> rings() {
  std::vector<std::string> specs;
  for (int p = 1; p <= 12; ++p) specs.push_back("ring:" + std::to_string(p));
  for (const char* spec : {"ring:16", "ring:17", "ring:27", "ring:33"}) specs.emplace_back(spec);
  return specs;
}

const std::vector<std::string> kBoxes{"torus:1",   "torus:2x4",   "torus:3x5",   "torus:4x4",  "torus:1x6",
                                      "torus:7x7", "torus:3x3x3", "torus:2x3x4", "mesh:4x4x2", "mesh:5x3"};
const std::vector<std::string> kWithoutGrid{"fullmesh:6", "star:13", "star:16"};

}  // namespace

TEST_CASE("every algorithm that fits is right on every fabric, where blocks are empty or unequal too") {
  std::vector<std::string> specs = rings();
  specs.insert(specs.end(), kBoxes.begin(), kBoxes.end());
  specs.insert(specs.end(), kWithoutGrid.begin(), kWithoutGrid.end());
  for (const std::string& spec : specs) {
    const Fabric fabric(parse_topology(spec), {});
    const Shape shape = shape_of(fabric.topology());
    for (const Algorithm* row : algorithms_of(Collective::allreduce)) {
      const Algorithm& algorithm = *row;
      if (!why_not(algorithm, shape, ReduceOp::sum()).empty()) continue;
      const std::int64_t granule = algorithm.granule(shape);
      for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, granule - 1, granule + 1, 3 * granule - 1}) {
        INFO(algorithm.name << " on " << spec << ", count " << count);
        REQUIRE_NOTHROW(run(algorithm, fabric, count, Datatype::i32(), ReduceOp::sum()));
      }
    }
  }
}

TEST_CASE("no algorithm relies on buffers: sends that wait for their receives, few credits, any order of one instant") {
  for (const std::string spec : {"ring:6", "ring:7", "torus:3x4", "torus:5x3"}) {
    const Fabric fabric(parse_topology(spec), {});
    for (const Algorithm* row : algorithms_of(Collective::allreduce)) {
      const Algorithm& algorithm = *row;
      if (!why_not(algorithm, shape_of(fabric.topology()), ReduceOp::sum()).empty()) continue;
      INFO(algorithm.name << " on " << spec);
      EmulationSettings settings;
      settings.buffering = Buffering::synchronous();
      REQUIRE_NOTHROW(run(algorithm, fabric, 131, Datatype::i64(), ReduceOp::sum(), settings));
      settings.buffering = Buffering::limited(4);  // one for each port: a rank's strands share the credits of a pair
      REQUIRE_NOTHROW(run(algorithm, fabric, 131, Datatype::i64(), ReduceOp::sum(), settings));
      settings.schedule_seed = 7;
      REQUIRE_NOTHROW(run(algorithm, fabric, 131, Datatype::i64(), ReduceOp::sum(), settings));
    }
  }
}

TEST_CASE("rank order is kept where it is claimed") {
  for (const std::string& spec : rings()) {
    const Fabric fabric(parse_topology(spec), {});
    for (const Algorithm* row : algorithms_of(Collective::allreduce)) {
      const Algorithm& algorithm = *row;
      if (algorithm.needs.commutative) continue;
      INFO(algorithm.name << " on " << spec);
      REQUIRE_NOTHROW(run(algorithm, fabric, 37, affine_type(), affine_op()));
    }
  }
}

}  // namespace heddle
