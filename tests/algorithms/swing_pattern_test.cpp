// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/lattice.hpp"
#include "algorithms/families/swing.hpp"

#include <cmath>
#include <vector>

#include "tests/algorithms/window_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

TEST_CASE("rho is the sum of the powers of -2, delta its distance") {
  // ρ(s) = Σ_{i=0..s} (-2)^i; δ(s) = (2^(s+1) - (-1)^(s+1)) / 3 (Swing §3.1.1)
  std::int64_t sum = 0;
  std::int64_t power = 1;
  for (int s = 0; s < 40; ++s, power *= -2) {
    sum += power;
    CHECK(swing_rho(s) == sum);
    CHECK(3 * swing_distance(s) == (std::int64_t{1} << (s + 1)) - (s % 2 == 0 ? -1 : 1));
  }
  std::vector<std::int64_t> first;
  for (int s = 0; s < 7; ++s) first.push_back(swing_distance(s));
  CHECK(first == std::vector<std::int64_t>{1, 1, 3, 5, 11, 21, 43});
}

TEST_CASE("partners on a ring of 16") {
  // Swing Fig. 1: rank 0 talks to 1, 15, 3, 11; rank 1 to 0, 2, 14, 6.
  const auto partners = [](int rank, Swing swing) {
    std::vector<int> found;
    for (int s = 0; s < 4; ++s) found.push_back(swing_partner(rank, s, 16, swing));
    return found;
  };
  CHECK(partners(0, Swing::plain) == std::vector{1, 15, 3, 11});
  CHECK(partners(1, Swing::plain) == std::vector{0, 2, 14, 6});
  CHECK(partners(0, Swing::mirrored) == std::vector{15, 1, 13, 5});
  CHECK(partners(1, Swing::mirrored) == std::vector{2, 0, 4, 12});
}

TEST_CASE("a partner's partner is oneself, and never oneself alone") {
  for (int size = 2; size <= 66; size += 2) {
    for (int step = 0; step < swing_steps(size); ++step) {
      for (const Swing swing : {Swing::plain, Swing::mirrored}) {
        for (int c = 0; c < size; ++c) {
          const int partner = swing_partner(c, step, size, swing);
          REQUIRE(partner >= 0);
          REQUIRE(partner < size);
          REQUIRE(partner % 2 != c % 2);
          REQUIRE(swing_partner(partner, step, size, swing) == c);
        }
      }
    }
  }
}

TEST_CASE("steps: the logarithm, rounded up, of the even part") {
  const std::vector<int> steps{0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5};
  for (int size = 1; size <= 18; ++size) CHECK(swing_steps(size) == steps[static_cast<std::size_t>(size - 1)]);
}

TEST_CASE("the last of seven exchanges with 0 1 2, then 3 4, then 5") {
  // Swing §3.2, Fig. 3
  const auto share = [](int step) {
    const DirectShare found = swing_direct_share(step, 7);
    return std::vector{found.first, found.count};
  };
  CHECK(share(0) == std::vector{0, 3});
  CHECK(share(1) == std::vector{3, 2});
  CHECK(share(2) == std::vector{5, 1});
}

TEST_CASE("shares of odd sizes are never empty and meet each other coordinate once") {
  for (int size = 3; size <= 129; size += 2) {
    CAPTURE(size);
    int next = 0;
    for (int step = 0; step < swing_steps(size); ++step) {
      const DirectShare share = swing_direct_share(step, size);
      REQUIRE(share.first == next);
      REQUIRE(share.count > 0);
      for (int i = 0; i < share.count; ++i) REQUIRE(swing_direct_step(share.first + i, size) == step);
      next += share.count;
    }
    REQUIRE(next == size - 1);
  }
}

TEST_CASE("steps take turns over the dimensions; one that is done is left out") {
  // Swing §4.2, Fig. 5: on 2x4 the last step of all collectives is in the long dimension.
  const std::vector<int> steps{1, 2};
  CHECK(interleaved_steps(steps, 0) == std::vector<DimensionStep>{{0, 0}, {1, 0}, {1, 1}});
  CHECK(interleaved_steps(steps, 1) == std::vector<DimensionStep>{{1, 0}, {0, 0}, {1, 1}});
  CHECK(interleaved_steps(std::vector<int>{}, 0).empty());
}

TEST_CASE("half of the ports are plain, half mirrored, and each of a kind starts in another dimension") {
  std::vector<int> first_dimensions;
  for (int port = 0; port < 6; ++port) {
    CHECK(swing_port(port, 3).swing == (port < 3 ? Swing::plain : Swing::mirrored));
    first_dimensions.push_back(swing_port(port, 3).first_dimension);
  }
  CHECK(first_dimensions == std::vector{0, 1, 2, 0, 1, 2});
}

TEST_CASE(
    "Swing on whole vectors: even sizes take log2 p steps with Swing's partners, every contribution once, at most two sums") {
  for (int p = 2; p <= testing::sampled(testing::sample(130, 300), 80); p += p < 140 ? 2 : 14) {
    const WindowPlan windows = swing_windows(p);
    INFO("p " << p);
    REQUIRE(windows.ranks() == p);
    REQUIRE(windows.mirrored());
    REQUIRE(static_cast<int>(windows.steps().size()) == swing_steps(p));
    for (int step = 0; step < swing_steps(p); ++step) {
      const WindowPlan::Step& now = windows.steps()[static_cast<std::size_t>(step)];
      REQUIRE(now.messages.size() == 1);
      REQUIRE(now.sums.size() <= 2);
      for (const int rank : {0, 1, p - 2, p - 1}) {
        const int away = rank % 2 == 0 ? now.messages.front().peer : -now.messages.front().peer;
        REQUIRE(((rank + away) % p + p) % p == swing_partner(rank, step, p, Swing::plain));
      }
    }
    if (swings_by_windows(p)) {
      REQUIRE(windows.vectors() <= 2 * swing_steps(p) - 3);
    } else {
      REQUIRE(windows.vectors() == swing_steps(p));
    }
    REQUIRE_THAT(testing::failure_of(windows), Catch::Equals(""));
  }
}

TEST_CASE("Swing on whole vectors: six ranks keep a second sum, none travels") {
  // The example of swing_latency.cpp, from rank 0, which counts forwards.
  const WindowPlan windows = swing_windows(6);
  REQUIRE(windows.steps().size() == 3);
  CHECK(windows.steps()[0].sums.front().window == Window{0, 2});
  CHECK(windows.steps()[1].sums.front().window == Window{-2, 4});
  CHECK(windows.steps()[1].sums.back().window == Window{0, 2});
  CHECK(windows.steps()[2].messages.front().peer == 3);
  CHECK(windows.vectors() == 3);
}

}  // namespace heddle::plans
