// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/vectors.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::plans {

namespace {

std::vector<int> partners(const Grid& grid, int rank, int first_dimension, bool mirrored) {
  const Lattice lattice(&grid, grid.size());
  const VectorPlan mine = vector_plan(lattice, first_dimension, Rank(rank), [mirrored](int position, int step, int positions) {
    return doubling_partner(position, step, positions, mirrored);
  });
  std::vector<int> numbers;
  for (const Rank partner : mine.partners) numbers.push_back(partner.value());
  return numbers;
}

}  // namespace

TEST_CASE("recursive doubling's partners on a 4x4 torus take turns over the dimensions, at distance 1 1 2 2") {
  // Swing Fig. 2: rank 0 with its neighbours in both dimensions first, then with those two away.
  const Grid grid({4, 4}, true);
  CHECK(partners(grid, 0, 0, false) == std::vector{4, 1, 8, 2});
  CHECK(partners(grid, 0, 1, false) == std::vector{1, 4, 2, 8});
  CHECK(partners(grid, 0, 0, true) == std::vector{12, 3, 8, 2});
  CHECK(partners(grid, 5, 0, true) == std::vector{9, 6, 13, 7});
}

TEST_CASE("doubling partners, plain or mirrored, are at distance 2^step and after all steps everybody has met") {
  for (int bits = 0; bits <= 10; ++bits) {
    const int positions = 1 << bits;
    for (const bool mirrored : {false, true}) {
      for (int position = 0; position < positions; ++position) {
        std::vector<int> met{position};
        for (int step = 0; step < bits; ++step) {
          const int partner = doubling_partner(position, step, positions, mirrored);
          REQUIRE(doubling_partner(partner, step, positions, mirrored) == position);
          const int distance = std::abs(partner - position);
          REQUIRE(std::min(distance, positions - distance) == 1 << step);
          for (std::size_t i = 0, n = met.size(); i < n; ++i)
            met.push_back(doubling_partner(met[i], step, positions, mirrored));
        }
        std::vector<bool> seen(static_cast<std::size_t>(positions));
        for (const int other : met) seen[static_cast<std::size_t>(other)] = true;
        REQUIRE(std::count(seen.begin(), seen.end(), true) == positions);
      }
    }
  }
}

TEST_CASE("mirrored pairs stand over the links that plain pairs leave free") {
  for (int positions = 4; positions <= 64; positions *= 2) {
    for (int position = 0; position < positions; ++position) {
      const bool plain_goes_up = doubling_partner(position, 0, positions, false) == (position + 1) % positions;
      const bool mirrored_goes_up = doubling_partner(position, 0, positions, true) == (position + 1) % positions;
      REQUIRE(plain_goes_up != mirrored_goes_up);
    }
  }
}

}  // namespace heddle::plans
