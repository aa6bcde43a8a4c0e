// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/bine.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/families/swing.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

using testing::index_of;

namespace {

using Edge = Tree::Edge;

/// The edges if every rank that has been reached sends on in every step, to its partner; what comes later is left out.
std::vector<Edge> flooded(int ranks, Distances distances) {
  constexpr int kNever = -2;
  std::vector<Edge> edges(index_of(ranks), {-1, kNever});
  edges[0] = {-1, -1};
  const int steps = bine_tree_steps(ranks);
  for (int step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks; ++rank) {
      if (edges[index_of(rank)].step == kNever || edges[index_of(rank)].step == step) continue;
      const std::int64_t rho = swing_rho(distances == Distances::halving ? steps - 1 - step : step);
      const auto to = static_cast<int>((rank + (rank % 2 == 0 ? rho : -rho) + 64 * ranks) % ranks);
      if (edges[index_of(to)].step == kNever) edges[index_of(to)] = {rank, step};
    }
  }
  return edges;
}

std::vector<int> parents(int ranks, Distances distances) {
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(bine_edge(rank, ranks, 0, distances).parent);
  return all;
}

std::vector<int> steps(int ranks, Distances distances) {
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(bine_edge(rank, ranks, 0, distances).step);
  return all;
}

/// The lowest `digits` digits, as people write them.
std::string digits_of(std::uint32_t code, int digits) {
  std::string text;
  for (int digit = digits - 1; digit >= 0; --digit) text += ((code >> digit) & 1) != 0 ? '1' : '0';
  return text;
}

/// Whom the root reaches, step by step.
std::vector<int> children_of_root(int ranks, Distances distances) {
  std::vector<int> children(index_of(bine_tree_steps(ranks)), -1);
  for (int rank = 1; rank < ranks; ++rank) {
    const Edge edge = bine_edge(rank, ranks, 0, distances);
    if (edge.parent == 0) children[index_of(edge.step)] = rank;
  }
  return children;
}

/// Whether they are one run of the circle.
bool is_one_run(const RunSet& members, int ranks) {
  return members.size() == 1 || (members.size() == 2 && members[0].first == 0 && members[1].end() == ranks);
}

/// The longest chain of messages, one after the other, with which a rank's subtree is served.
int longest_chain(const Tree& tree, int rank) {
  int longest = 0;
  int before = 0;
  for (const int child : tree.children(rank)) longest = std::max(longest, ++before + longest_chain(tree, child));
  return longest;
}

}  // namespace

TEST_CASE("numbers in base -2") {
  // Bine §2.3.1: 2 is 110, -1 is 011, -2 is 010; the greatest of six digits is 010101 = 21.
  CHECK(negabinary(2) == 0b110);
  CHECK(negabinary(-1) == 0b011);
  CHECK(negabinary(-2) == 0b010);
  CHECK(negabinary(0) == 0);
  CHECK(from_negabinary(0b010101) == 21);
  CHECK(greatest_negabinary(6) == 21);
  CHECK(greatest_negabinary(3) == 5);
  for (int digits = 0; digits <= 12; ++digits) {
    const int greatest = greatest_negabinary(digits);
    for (int number = greatest - (1 << digits) + 1; number <= greatest; ++number) {
      const std::uint32_t code = negabinary(number);
      REQUIRE(code < (std::uint32_t{1} << digits));
      REQUIRE(from_negabinary(code) == number);
      int sum = 0;
      for (int digit = 0, power = 1; digit < digits; ++digit, power *= -2) sum += ((code >> digit) & 1) != 0 ? power : 0;
      REQUIRE(sum == number);
    }
  }
}

TEST_CASE("trees with halving distances, as the source draws them") {
  // Bine Fig. 3: 4 ranks, 0 - 3 then 0 - 1 and 3 - 2; 8 ranks, root to root 3.
  CHECK(parents(2, Distances::halving) == std::vector{-1, 0});
  CHECK(parents(4, Distances::halving) == std::vector{-1, 0, 3, 0});
  CHECK(steps(4, Distances::halving) == std::vector{-1, 1, 1, 0});
  CHECK(parents(8, Distances::halving) == std::vector{-1, 0, 3, 0, 3, 4, 7, 0});
  CHECK(steps(8, Distances::halving) == std::vector{-1, 2, 2, 0, 1, 2, 2, 1});
  // Bine Fig. 4: of 16, rank 8 (1000) is reached in step 1 and sends to 7 (1011) in step 2; 11 is the root's first child
  // (§D.1: distances -5, 3, -1, 1).
  CHECK(bine_edge(8, 16, 0, Distances::halving) == Edge{11, 1});
  CHECK(bine_edge(7, 16, 0, Distances::halving) == Edge{8, 2});
  CHECK(bine_edge(4, 16, 0, Distances::halving).parent == 3);
  CHECK(bine_edge(3, 16, 0, Distances::halving).parent == 0);
  CHECK(children_of_root(16, Distances::halving) == std::vector{11, 3, 15, 1});
  // Fig. 16: below rank 11 are the ranks 6 … 13; Fig. 4: those that share 8's two first digits, 10.
  const std::vector<RunSet> below = bine_tree(16, 0, Distances::halving).subtrees();
  CHECK(below[11] == RunSet{{6, 8}});
  CHECK(below[8] == RunSet{{6, 4}});
}

TEST_CASE("trees with doubling distances, as the source draws them") {
  // Bine Fig. 6, right, and §3.2.2: v(2) = 011, so 2 is reached in step 1 and sends to 5, v = 111, in step 2.
  CHECK(parents(4, Distances::doubling) == std::vector{-1, 0, 1, 0});
  CHECK(steps(4, Distances::doubling) == std::vector{-1, 0, 1, 1});
  CHECK(parents(8, Distances::doubling) == std::vector{-1, 0, 1, 0, 7, 2, 1, 0});
  CHECK(steps(8, Distances::doubling) == std::vector{-1, 0, 1, 2, 2, 2, 2, 1});
  CHECK(digits_of(bine_way(2, 8), 3) == "011");
  CHECK(digits_of(bine_way(5, 8), 3) == "111");
  CHECK(children_of_root(16, Distances::doubling) == std::vector{1, 15, 3, 11});
}

TEST_CASE("blocks lie by reversed ways") {
  // Bine §4.3.1 and Fig. 8: rank 0 sends blocks 1, 6, 2, 5 in step 0; they take positions 4 … 7. Block 1 goes to position 4.
  std::vector<int> block_at(8);
  for (int block = 0; block < 8; ++block) block_at[index_of(bine_position(block, 8))] = block;
  CHECK(block_at == std::vector{0, 3, 7, 4, 1, 6, 2, 5});
  for (int p = 1; p <= 4096; p *= 2) {
    std::set<int> positions;
    for (int block = 0; block < p; ++block) positions.insert(bine_position(block, p));
    REQUIRE(positions.size() == index_of(p));
    REQUIRE(*positions.rbegin() == p - 1);
  }
}

TEST_CASE("ways are the steps from the root") {
  for (int p = 2; p <= 1024; p *= 2) {
    for (int rank = 1; rank < p; ++rank) {
      const Edge edge = bine_edge(rank, p, 0, Distances::doubling);
      REQUIRE(bine_way(rank, p) == (bine_way(edge.parent, p) | (std::uint32_t{1} << edge.step)));
    }
  }
}

TEST_CASE("even numbers that are no power of two: what comes later is left out") {
  // Bine Fig. 15, 6 ranks: 4 and 5 are reached twice; 4 from 3 in step 1 and from 5 in step 2, 5 from 0 in step 1 and from 4.
  CHECK(parents(6, Distances::halving) == std::vector{-1, 0, 3, 0, 3, 0});
  CHECK(steps(6, Distances::halving) == std::vector{-1, 2, 2, 0, 1, 1});
  // 10 ranks: 9 from 0 in step 2, 8 from 9 in step 3; 5 is reached in steps 0 and 3, and 6 and 7 hang below it.
  CHECK(bine_edge(9, 10, 0, Distances::halving) == Edge{0, 2});
  CHECK(bine_edge(8, 10, 0, Distances::halving) == Edge{9, 3});
  CHECK(bine_edge(5, 10, 0, Distances::halving) == Edge{0, 0});
  CHECK(bine_edge(6, 10, 0, Distances::halving).parent == 5);
  CHECK(bine_edge(7, 10, 0, Distances::halving).parent == 6);
  for (const Distances distances : {Distances::halving, Distances::doubling}) {
    for (int p = 2; p <= 600; p += 2) {
      const std::vector<Edge> expected = flooded(p, distances);
      for (int rank = 0; rank < p; ++rank) {
        INFO("rank " << rank << " of " << p);
        REQUIRE(bine_edge(rank, p, 0, distances) == expected[index_of(rank)]);
      }
    }
  }
}

TEST_CASE("odd numbers: positions first, then their extra ranks") {
  // Positions 0 1 2 3 of 7 ranks are 0 2 4 6; extra ranks are 1, 3 and 5.
  CHECK(parents(7, Distances::halving) == std::vector{-1, 0, 0, 2, 6, 4, 0});
  CHECK(steps(7, Distances::halving) == std::vector{-1, 2, 1, 2, 1, 2, 0});
}

TEST_CASE("trees span all ranks in the least steps, nobody sending twice in a step") {
  for (const Distances distances : {Distances::halving, Distances::doubling}) {
    for (int p = 1; p <= 600; ++p) {
      INFO("p " << p);
      const Tree tree = bine_tree(p, 0, distances);  // which checks that it spans them
      std::set<std::pair<int, int>> sends;
      for (int rank = 1; rank < p; ++rank) REQUIRE(sends.insert({tree.parent(rank), tree.step(rank)}).second);
      REQUIRE(longest_chain(tree, 0) == testing::doublings(p));
    }
  }
}

TEST_CASE("a tree with another root is turned round the circle") {
  for (int p = 1; p <= 33; ++p) {
    for (int root = 0; root < p; ++root) {
      for (int rank = 0; rank < p; ++rank) {
        if (rank == root) continue;
        const Edge edge = bine_edge((rank - root + p) % p, p, 0, Distances::halving);
        REQUIRE(bine_edge(rank, p, root, Distances::halving) == Edge{(edge.parent + root) % p, edge.step});
      }
    }
  }
}

TEST_CASE("what is below a rank of a halving tree is one run of the circle, but for even numbers that are no power of two") {
  for (int p = 2; p <= 260; ++p) {
    if (p % 2 == 0 && !std::has_single_bit(static_cast<unsigned>(p))) continue;
    for (const RunSet& members : bine_tree(p, 0, Distances::halving).subtrees()) {
      INFO("p " << p);
      REQUIRE(is_one_run(members, p));
    }
  }
}

TEST_CASE("partners are a third nearer than in binomial trees") {
  // Bine §2.4.1: δ(i) = |Σ_{j<s-i} (-2)^j|, at most ⌈2^(s-i) / 3⌉, where a binomial tree has 2^(s-i-1).
  for (int p = 2; p <= 4096; p *= 2) {
    const int s = bine_tree_steps(p);
    for (int rank = 1; rank < p; ++rank) {
      const auto [parent, step] = bine_edge(rank, p, 0, Distances::halving);
      const int way = (rank - parent + p) % p;
      REQUIRE(std::min(way, p - way) == swing_distance(s - 1 - step));
      REQUIRE(std::min(way, p - way) <= ((1 << (s - step)) + 2) / 3);
    }
  }
}

}  // namespace heddle::plans
