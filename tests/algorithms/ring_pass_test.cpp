// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/grid_rings.hpp"

#include <numeric>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::plans {

namespace {

/// contributions[position][block]: how often each position's contribution is in what `position` has for `block`.
using Contributions = std::vector<std::vector<std::vector<int>>>;

Contributions at_start(int positions) {
  const auto d = static_cast<std::size_t>(positions);
  Contributions all(d, std::vector(d, std::vector(d, 0)));
  for (std::size_t position = 0; position < d; ++position) {
    for (std::size_t block = 0; block < d; ++block) all[position][block][position] = 1;
  }
  return all;
}

void pass(Contributions& all, int round, int direction) {
  const int positions = static_cast<int>(all.size());
  const Contributions before = all;
  for (int position = 0; position < positions; ++position) {
    const int next = (position + positions + direction) % positions;
    const auto block = static_cast<std::size_t>(ring_block_passed(position, round, positions, direction));
    std::vector<int>& into = all[static_cast<std::size_t>(next)][block];
    const std::vector<int>& from = before[static_cast<std::size_t>(position)][block];
    const bool reduces = round < positions - 1;
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = reduces ? into[i] + from[i] : from[i];
  }
}

}  // namespace

TEST_CASE("the picture of ring.cpp: blocks passed by four ranks") {
  const std::vector<std::vector<int>> picture{{3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}};
  for (int round = 0; round < 3; ++round) {
    for (int position = 0; position < 4; ++position) {
      CHECK(ring_block_passed(position, round, 4, +1) ==
            picture[static_cast<std::size_t>(round)][static_cast<std::size_t>(position)]);
    }
  }
}

TEST_CASE("a position gets what the one before passes on") {
  for (int positions = 2; positions <= 64; ++positions) {
    for (const int direction : {+1, -1}) {
      for (int round = 0; round < 2 * (positions - 1); ++round) {
        for (int position = 0; position < positions; ++position) {
          const int next = (position + positions + direction) % positions;
          REQUIRE(ring_block_gotten(next, round, positions, direction) ==
                  ring_block_passed(position, round, positions, direction));
        }
      }
    }
  }
}

TEST_CASE("after half of the rounds each position has its own block complete, after all rounds everybody has everything") {
  for (int positions = 2; positions <= 24; ++positions) {
    for (const int direction : {+1, -1}) {
      CAPTURE(positions, direction);
      const std::vector<int> complete(static_cast<std::size_t>(positions), 1);
      Contributions all = at_start(positions);
      for (int round = 0; round < positions - 1; ++round) pass(all, round, direction);
      for (std::size_t position = 0; position < all.size(); ++position) REQUIRE(all[position][position] == complete);
      for (int round = positions - 1; round < 2 * (positions - 1); ++round) pass(all, round, direction);
      for (const auto& of_position : all) {
        for (const auto& block : of_position) REQUIRE(block == complete);
      }
    }
  }
}

}  // namespace heddle::plans
