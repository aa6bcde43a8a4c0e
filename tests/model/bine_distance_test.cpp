// SPDX-License-Identifier: Apache-2.0
// How far Bine's messages go, step by step, beside a binomial tree's (Bine, De Sensi et al., §2.4.1).
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "algorithms/families/bine.hpp"
#include "tests/catch.hpp"

namespace heddle::bine_distance_model {
namespace {

using plans::Distances;
using plans::Tree;

/// Ranks between the two ends of each of the step's messages, the short way round; all of a step go equally far.
int distance_of_step(const Tree& tree, int step) {
  int distance = 0;
  for (int rank = 0; rank < tree.ranks(); ++rank) {
    if (tree.is_root(rank) || tree.step(rank) != step) continue;
    const int apart = std::abs(rank - tree.parent(rank));
    const int modular = std::min(apart, tree.ranks() - apart);
    CHECK((distance == 0 || distance == modular));
    distance = modular;
  }
  return distance;
}

}  // namespace

TEST_CASE("a step of a halving Bine tree goes 2/3 as far as a binomial tree's, give or take 2^-(s-i)") {
  // δ_bine(i) = |1 - (-2)^(s-i)| / 3, δ_binomial(i) = 2^(s-i-1), so that
  // δ_bine(i) / δ_binomial(i) = 2/3 · (1 + 2^-(s-i)) if s-i is odd, 2/3 · (1 - 2^-(s-i)) if it is even.
  for (int s = 1; s <= 10; ++s) {
    const int p = 1 << s;
    const Tree bine = plans::bine_tree(p, 0, Distances::halving);
    const Tree binomial = plans::binomial_halving_tree(p, 0);
    for (int step = 0; step < s; ++step) {
      const int digits = s - step;
      INFO("p = " << p << ", step " << step);
      const int bine_distance = distance_of_step(bine, step);
      const int binomial_distance = distance_of_step(binomial, step);
      CHECK(binomial_distance == 1 << (digits - 1));
      CHECK(bine_distance == std::abs(1 - (digits % 2 == 0 ? 1 : -1) * (1 << digits)) / 3);
      const double ratio = static_cast<double>(bine_distance) / binomial_distance;
      const double slip = std::ldexp(1.0, -digits);
      CHECK(ratio == Approx(2.0 / 3 * (digits % 2 == 1 ? 1 + slip : 1 - slip)).epsilon(1e-12));
    }
  }
}

TEST_CASE("a third less is no bound of single steps: neighbours gain nothing, every other distance more than a third") {
  // Distances of the last steps, far to near: binomial 16 8 4 2 1, Bine 11 5 3 1 1: less by 5/16, 3/8, 1/4, 1/2 and nothing.
  const Tree bine = plans::bine_tree(32, 0, Distances::halving);
  const int expected[] = {11, 5, 3, 1, 1};
  for (int step = 0; step < 5; ++step) CHECK(distance_of_step(bine, step) == expected[step]);
}

}  // namespace heddle::bine_distance_model
