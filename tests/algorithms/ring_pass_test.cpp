// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/ring_pass.hpp"

#include <numeric>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::schedule {

namespace {

/// contributions[seat][block]: how often each seat's contribution is in what `seat` has for `block`.
using Contributions = std::vector<std::vector<std::vector<int>>>;

Contributions at_start(int seats) {
  const auto d = static_cast<std::size_t>(seats);
  Contributions all(d, std::vector(d, std::vector(d, 0)));
  for (std::size_t seat = 0; seat < d; ++seat) {
    for (std::size_t block = 0; block < d; ++block) all[seat][block][seat] = 1;
  }
  return all;
}

void pass(Contributions& all, int round, int direction) {
  const int seats = static_cast<int>(all.size());
  const Contributions before = all;
  for (int seat = 0; seat < seats; ++seat) {
    const int next = (seat + seats + direction) % seats;
    const auto block = static_cast<std::size_t>(ring_block_passed(seat, round, seats, direction));
    std::vector<int>& into = all[static_cast<std::size_t>(next)][block];
    const std::vector<int>& from = before[static_cast<std::size_t>(seat)][block];
    const bool reduces = round < seats - 1;
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = reduces ? into[i] + from[i] : from[i];
  }
}

}  // namespace

TEST_CASE("the picture of ring.cpp: blocks passed by four ranks") {
  const std::vector<std::vector<int>> picture{{3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}};
  for (int round = 0; round < 3; ++round) {
    for (int seat = 0; seat < 4; ++seat) {
      CHECK(ring_block_passed(seat, round, 4, +1) == picture[static_cast<std::size_t>(round)][static_cast<std::size_t>(seat)]);
    }
  }
}

TEST_CASE("a seat gets what the one before passes on") {
  for (int seats = 2; seats <= 64; ++seats) {
    for (const int direction : {+1, -1}) {
      for (int round = 0; round < 2 * (seats - 1); ++round) {
        for (int seat = 0; seat < seats; ++seat) {
          const int next = (seat + seats + direction) % seats;
          REQUIRE(ring_block_gotten(next, round, seats, direction) == ring_block_passed(seat, round, seats, direction));
        }
      }
    }
  }
}

TEST_CASE("after half of the rounds each seat has its own block complete, after all rounds everybody has everything") {
  for (int seats = 2; seats <= 24; ++seats) {
    for (const int direction : {+1, -1}) {
      CAPTURE(seats, direction);
      const std::vector<int> complete(static_cast<std::size_t>(seats), 1);
      Contributions all = at_start(seats);
      for (int round = 0; round < seats - 1; ++round) pass(all, round, direction);
      for (std::size_t seat = 0; seat < all.size(); ++seat) REQUIRE(all[seat][seat] == complete);
      for (int round = seats - 1; round < 2 * (seats - 1); ++round) pass(all, round, direction);
      for (const auto& of_seat : all) {
        for (const auto& block : of_seat) REQUIRE(block == complete);
      }
    }
  }
}

}  // namespace heddle::schedule
