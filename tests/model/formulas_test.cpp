// SPDX-License-Identifier: Apache-2.0
// Each row's formulas for rounds and bytes against what a run counts, on every kind of fabric and rank count.
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/run_algorithm.hpp"

namespace heddle {

namespace {

void check_formulas(const std::string& topology, std::int64_t multiple) {
  const Fabric fabric(parse_topology(topology), FabricSettings{});
  const Grid* grid = fabric.topology().grid();
  for (const Algorithm& algorithm : registry()) {
    Shape shape{.ranks = fabric.topology().endpoints(), .dims = grid ? grid->dims() : std::vector<int>{}};
    shape.count = algorithm.granule(shape) * multiple;
    shape.bytes = shape.count * 4;
    if (!why_not(algorithm, shape, ReduceOp::sum()).empty()) continue;
    INFO(algorithm.name << " on " << topology << ", " << shape.count << " elements");
    const Report report = run_algorithm(algorithm.name, topology, FabricSettings{}, shape.count);
    CHECK(report.rounds_max() == algorithm.rounds(shape));
    CHECK(report.sent_max().count() == algorithm.bytes(shape));
  }
}

}  // namespace

TEST_CASE("Rounds and bytes are what the registry says, for p = 1 to 64 without dimensions") {
  for (int p = 1; p <= 64; ++p) check_formulas("star:" + std::to_string(p), 1);
}

TEST_CASE("Rounds and bytes are what the registry says, on rings") {
  for (int p = 1; p <= 33; ++p) check_formulas("ring:" + std::to_string(p), 2);
}

TEST_CASE("Rounds and bytes are what the registry says, in more dimensions") {
  for (const char* topology :
       {"torus:1", "torus:1x1", "torus:2x2", "torus:2x4", "torus:3x5", "torus:4x4", "torus:5x1x3", "torus:6x10", "torus:7x9",
        "mesh:4x4x2", "mesh:3x6", "torus:2x3x4", "torus:2x2x2x2", "torus:8x8"}) {
    check_formulas(topology, 1);
  }
}

}  // namespace heddle
