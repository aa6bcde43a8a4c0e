// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/neighbor_exchange.hpp"

#include <set>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::plans {

TEST_CASE("neighbor exchange at 6: partners and pairs of the picture") {
  const std::vector<std::vector<int>> partners{{1, 0, 3, 2, 5, 4}, {5, 2, 1, 4, 3, 0}, {1, 0, 3, 2, 5, 4}};
  const std::vector<std::vector<int>> pairs{{0, 0, 1, 1, 2, 2}, {2, 1, 0, 2, 1, 0}, {1, 2, 2, 0, 0, 1}};
  for (int round = 0; round < 3; ++round) {
    for (int position = 0; position < 6; ++position) {
      const auto r = static_cast<std::size_t>(round), s = static_cast<std::size_t>(position);
      CHECK(neighbor_exchange_partner(position, round, 6) == partners[r][s]);
      CHECK(neighbor_exchange_pair_gotten(position, round, 6) == pairs[r][s]);
    }
  }
}

TEST_CASE("neighbor exchange: partners agree, what one gets the other got before, and all pairs come once") {
  for (int n = 2; n <= 400; n += n < 70 ? 2 : 66) {
    CAPTURE(n);
    for (int position = 0; position < n; ++position) {
      std::set<int> pairs;
      for (int round = 0; round < neighbor_exchange_rounds(n); ++round) {
        const int partner = neighbor_exchange_partner(position, round, n);
        REQUIRE(neighbor_exchange_partner(partner, round, n) == position);
        const int pair = neighbor_exchange_pair_gotten(position, round, n);
        REQUIRE(pairs.insert(pair).second);
        REQUIRE(pair == (round == 0 ? position / 2 : neighbor_exchange_pair_gotten(partner, round - 1, n)));
      }
      REQUIRE(static_cast<int>(pairs.size()) == n / 2);
    }
  }
}

}  // namespace heddle::plans
