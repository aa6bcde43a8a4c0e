// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/bine/bine_alltoall.hpp"

#include <set>
#include <utility>
#include <vector>

#include "algorithms/schedule/bine/bine_tree.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "tests/catch.hpp"

namespace heddle::schedule {

TEST_CASE("ways of blocks among 8 seats") {
  const BineWays ways(8);
  std::vector<unsigned> found;
  for (int slot = 0; slot < 8; ++slot) found.push_back(ways.way(slot));
  CHECK(found == std::vector<unsigned>{0, 0b001, 0b011, 0b100, 0b110, 0b111, 0b101, 0b010});
}

TEST_CASE("ways at powers of two are those of a Bine tree") {
  for (int p = 1; p <= 1024; p *= 2) {
    const BineWays ways(p);
    for (int slot = 0; slot < p; ++slot) REQUIRE(ways.way(slot) == bine_way(slot, p));
  }
}

TEST_CASE("partners that swap the slots of a step bring every block to where it is to go") {
  for (int p = 1; p <= 130; p += p == 1 ? 1 : 2) {
    INFO(p << " seats");
    const BineWays ways(p);
    using Block = std::pair<int, int>;  // source, destination
    std::vector<std::vector<Block>> has(static_cast<std::size_t>(p));
    for (int seat = 0; seat < p; ++seat) {
      for (int slot = 0; slot < p; ++slot) has[static_cast<std::size_t>(seat)].push_back({seat, ways.destination(seat, slot)});
      REQUIRE(std::set<Block>(has.back().begin(), has.back().end()).size() == has.back().size());
    }
    for (int step = 0; step < ways.steps(); ++step) {
      const auto before = has;
      for (int seat = 0; seat < p; ++seat) {
        const auto partner = static_cast<std::size_t>(swing_partner(seat, step, p, Swing::plain));
        for (int slot = 0; slot < p; ++slot) {
          Block& block = has[static_cast<std::size_t>(seat)][static_cast<std::size_t>(slot)];
          REQUIRE(block.first == ways.source(seat, slot, step));
          if (ways.takes(slot, step)) block = before[partner][static_cast<std::size_t>(slot)];
        }
      }
    }
    for (int seat = 0; seat < p; ++seat) {
      for (int slot = 0; slot < p; ++slot) {
        const Block block = has[static_cast<std::size_t>(seat)][static_cast<std::size_t>(slot)];
        REQUIRE(block == Block{ways.source(seat, slot, ways.steps()), seat});
      }
    }
  }
}

}  // namespace heddle::schedule
