// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/bine.hpp"

#include <set>
#include <utility>
#include <vector>

#include "algorithms/families/swing.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

TEST_CASE("ways of blocks among 8 positions") {
  const BineWays ways(8);
  std::vector<unsigned> found;
  for (int index = 0; index < 8; ++index) found.push_back(ways.way(index));
  CHECK(found == std::vector<unsigned>{0, 0b001, 0b011, 0b100, 0b110, 0b111, 0b101, 0b010});
}

TEST_CASE("ways at powers of two are those of a Bine tree") {
  for (int p = 1; p <= 1024; p *= 2) {
    const BineWays ways(p);
    for (int index = 0; index < p; ++index) REQUIRE(ways.way(index) == bine_way(index, p));
  }
}

TEST_CASE("partners that swap the indices of a step bring every block to where it is to go") {
  for (int p = 1; p <= 130; p += p == 1 ? 1 : 2) {
    INFO(p << " positions");
    const BineWays ways(p);
    using Block = std::pair<int, int>;  // source, destination
    std::vector<std::vector<Block>> has(static_cast<std::size_t>(p));
    for (int position = 0; position < p; ++position) {
      for (int index = 0; index < p; ++index)
        has[static_cast<std::size_t>(position)].push_back({position, ways.destination(position, index)});
      REQUIRE(std::set<Block>(has.back().begin(), has.back().end()).size() == has.back().size());
    }
    for (int step = 0; step < ways.steps(); ++step) {
      const auto before = has;
      for (int position = 0; position < p; ++position) {
        const auto partner = static_cast<std::size_t>(swing_partner(position, step, p, Swing::plain));
        for (int index = 0; index < p; ++index) {
          Block& block = has[static_cast<std::size_t>(position)][static_cast<std::size_t>(index)];
          REQUIRE(block.first == ways.source(position, index, step));
          if (ways.takes(index, step)) block = before[partner][static_cast<std::size_t>(index)];
        }
      }
    }
    for (int position = 0; position < p; ++position) {
      for (int index = 0; index < p; ++index) {
        const Block block = has[static_cast<std::size_t>(position)][static_cast<std::size_t>(index)];
        REQUIRE(block == Block{ways.source(position, index, ways.steps()), position});
      }
    }
  }
}

}  // namespace heddle::plans
