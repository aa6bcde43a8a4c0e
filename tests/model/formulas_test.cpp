// SPDX-License-Identifier: Apache-2.0
// Each row's formulas for rounds and bytes against what a run counts, on every kind of fabric and rank count.
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/emulated_case.hpp"
#include "tests/thread_sanitizer.hpp"

namespace heddle {

namespace {

using testing::EmulatedCase;

void check_formulas(const std::string& topology, std::int64_t multiple) {
  const Fabric fabric(parse_topology(topology), FabricSettings{});
  const int ranks = fabric.topology().endpoints();
  for (const Algorithm& algorithm : registry()) {
    for (const int root : has_root(algorithm.collective) ? std::set{0, ranks - 1} : std::set{0}) {
      EmulatedCase what{.fabric = fabric, .collective = algorithm.collective, .root = root};
      what.count = multiple;
      what.count *= algorithm.granule(what.shape());
      if (!what.suits(algorithm)) continue;
      INFO(algorithm.name << ": " << what.name());
      const Report report = what.run(algorithm);
      CHECK(report.rounds_max() == algorithm.rounds(what.shape()));
      CHECK(report.sent_max().count() == algorithm.bytes(what.shape()));
    }
  }
}

constexpr int kStep = testing::sampled(1, 3, 5);
constexpr int kMostRanks = testing::sampled(64, 64, 11);

}  // namespace

TEST_CASE("Rounds and bytes are what the registry says, for p = 1 to 64 without dimensions") {
  for (int p = 1; p <= kMostRanks; p += kStep) check_formulas("star:" + std::to_string(p), 1);
}

TEST_CASE("Rounds and bytes are what the registry says, on rings") {
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 27, 32, 33}) {
    if (p <= kMostRanks) check_formulas("ring:" + std::to_string(p), 2);
  }
}

TEST_CASE("Rounds and bytes are what the registry says, in more dimensions") {
  for (const char* topology :
       {"torus:1", "torus:1x1", "torus:2x2", "torus:2x4", "torus:3x5", "torus:4x4", "torus:5x1x3", "torus:6x10", "torus:7x9",
        "mesh:4x4x2", "mesh:3x6", "torus:2x3x4", "torus:2x2x2x2", "torus:8x8"}) {
    if (parse_topology(topology)->endpoints() <= kMostRanks) check_formulas(topology, 1);
  }
}

}  // namespace heddle
