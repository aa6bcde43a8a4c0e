// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/trees.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

namespace {

using testing::doublings;
using testing::halvings;
using Sends = std::set<std::pair<int, int>>;

/// Who sends to whom in each step of a broadcast.
std::vector<Sends> by_step(const Tree& tree) {
  std::vector<Sends> steps;
  for (int rank = 0; rank < tree.ranks(); ++rank) {
    if (tree.is_root(rank)) continue;
    const auto step = static_cast<std::size_t>(tree.step(rank));
    steps.resize(std::max(steps.size(), step + 1));
    steps[step].insert({tree.parent(rank), rank});
  }
  return steps;
}

}  // namespace

TEST_CASE("binomial trees among eight are the sources'") {
  // Bine trees (De Sensi et al.) Fig. 1: doubling sends 0 -> 1, then 0 -> 2; halving 0 -> 4, then 0 -> 2. §2.2: with halving, 6
  // first communicates with 4, then with 7.
  CHECK(by_step(binomial_doubling_tree(8, 0)) ==
        std::vector<Sends>{{{0, 1}}, {{0, 2}, {1, 3}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}});
  CHECK(by_step(binomial_halving_tree(8, 0)) ==
        std::vector<Sends>{{{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}});
  // Fig. 1: two ranks to a switch; doubling sends 6 vectors between switches, halving 3.
  const auto between_pairs = [](const Tree& tree) {
    int vectors = 0;
    for (const Sends& sends : by_step(tree)) {
      for (const auto& [from, to] : sends) vectors += from / 2 != to / 2 ? 1 : 0;
    }
    return vectors;
  };
  CHECK(between_pairs(binomial_doubling_tree(8, 0)) == 6);
  CHECK(between_pairs(binomial_halving_tree(8, 0)) == 3);
}

TEST_CASE("another root rotates the ranks") {
  CHECK(by_step(binomial_halving_tree(6, 4)) == std::vector<Sends>{{{4, 2}}, {{4, 0}}, {{4, 5}, {0, 1}, {2, 3}}});
  CHECK(by_step(binomial_doubling_tree(6, 4)) == std::vector<Sends>{{{4, 5}}, {{4, 0}, {5, 1}}, {{4, 2}, {5, 3}}});
}

TEST_CASE("binomial trees: everyone hears once, in as few steps as can be") {
  for (int p = 1; p <= 130; ++p) {
    for (const int root : {0, p / 3, p - 1}) {
      CAPTURE(p, root);
      for (const Tree& tree : {binomial_halving_tree(p, root), binomial_doubling_tree(p, root)}) {
        REQUIRE(static_cast<int>(by_step(tree).size()) == doublings(p));
        REQUIRE(tree.height() == halvings(p));
        int children = 0;
        const std::vector<RunSet> subtrees = tree.subtrees();
        REQUIRE(subtrees[static_cast<std::size_t>(root)] == RunSet{{0, p}});
        for (int rank = 0; rank < p; ++rank) {
          const auto below = tree.children(rank);
          children += static_cast<int>(below.size());
          RunSet united{{rank, 1}};
          for (const int child : below) {
            REQUIRE(tree.parent(child) == rank);
            REQUIRE(tree.step(child) > tree.step(rank));
            REQUIRE(tree.depth(child) == tree.depth(rank) + 1);
            REQUIRE(tree.height(child) < tree.height(rank));
            united = unite(united, subtrees[static_cast<std::size_t>(child)]);
          }
          REQUIRE(united == subtrees[static_cast<std::size_t>(rank)]);
          REQUIRE(std::is_sorted(below.begin(), below.end(), [&](int a, int b) { return tree.step(a) < tree.step(b); }));
        }
        REQUIRE(children == p - 1);
      }
    }
  }
}

TEST_CASE("subtrees of distance halving are runs of ranks behind their roots") {
  for (int p = 1; p <= 130; ++p) {
    const Tree tree = binomial_halving_tree(p, 0);
    const std::vector<RunSet> subtrees = tree.subtrees();
    for (int rank = 0; rank < p; ++rank) {
      CAPTURE(p, rank);
      const RunSet& below = subtrees[static_cast<std::size_t>(rank)];
      REQUIRE(below.size() == 1);
      REQUIRE(below.front().first == rank);
    }
  }
}

TEST_CASE("a star's ranks hear in one step") {
  const Tree tree = star_tree(5, 3);
  CHECK(by_step(tree) == std::vector<Sends>{{{3, 0}, {3, 1}, {3, 2}, {3, 4}}});
  int steps = 0;
  for_each_step(tree, 3, [&](std::span<const int> children) {
    ++steps;
    CHECK(children.size() == 4);
  });
  CHECK(steps == 1);
  CHECK(tree.parent(3) == -1);
  CHECK(tree.height() == 1);
}

TEST_CASE("what is no tree is refused") {
  CHECK_THROWS_AS(Tree(3, 0, [](int) { return Tree::Edge{3, 0}; }), std::logic_error);
  CHECK_THROWS_AS(Tree(3, 0, [](int rank) { return Tree::Edge{3 - rank, rank}; }), std::logic_error);
  CHECK_THROWS_AS(Tree(3, 0, [](int rank) { return Tree::Edge{rank - 1, 0}; }), std::logic_error);
}

}  // namespace heddle::plans
