// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/trees.hpp"

#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

namespace {

using testing::doublings;

std::vector<int> parents(const Tree& tree) {
  std::vector<int> all;
  for (int rank = 0; rank < tree.ranks(); ++rank) all.push_back(tree.parent(rank));
  return all;
}

/// Of how many trees of the pair a rank is no leaf.
int trees_passed_on_in(const Tree& first, const Tree& second, int rank) {
  return (first.children(rank).empty() ? 0 : 1) + (second.children(rank).empty() ? 0 : 1);
}

void require_binary(const Tree& tree) {
  REQUIRE(tree.height() == doublings(tree.ranks()));
  for (int rank = 0; rank < tree.ranks(); ++rank) {
    CAPTURE(rank);
    REQUIRE(tree.children(rank).size() <= (tree.is_root(rank) ? 1U : 2U));
    REQUIRE(tree.step(rank) == tree.depth(rank) - 1);
  }
}

}  // namespace

TEST_CASE("binary trees of eight as drawn") {
  CHECK(parents(mirrored_binary_trees(8)[0]) == std::vector{-1, 2, 4, 2, 0, 6, 4, 6});
  CHECK(parents(mirrored_binary_trees(8)[1]) == std::vector{1, 3, 1, 7, 5, 3, 5, -1});
  CHECK(parents(double_binary_trees(8, 0)[1]) == std::vector{-1, 7, 3, 5, 3, 0, 7, 5});
  CHECK(parents(mirrored_binary_trees(6)[0]) == std::vector{-1, 2, 4, 2, 0, 4});
}

TEST_CASE("an allreduce's trees: each rank passes on in one and is a leaf of the other") {
  // Explainer 01 (Lu) §5.2: "every rank that is interior in T1 is a leaf in T2, and vice versa".
  for (int p = 2; p <= testing::sampled(300, 100); ++p) {
    CAPTURE(p);
    const Tree first = mirrored_binary_trees(p)[0];
    const Tree second = mirrored_binary_trees(p)[1];
    require_binary(first);
    require_binary(second);
    const std::vector<RunSet> first_below = first.subtrees();
    const std::vector<RunSet> second_below = second.subtrees();
    for (int rank = 0; rank < p; ++rank) {
      CAPTURE(rank);
      // Of an odd number of ranks one has to do both; it is the root, with one child in each tree.
      REQUIRE(trees_passed_on_in(first, second, rank) == (p % 2 == 1 && rank == 0 ? 2 : 1));
      // Rank order: below a rank is a run of ranks, so below each of its children, too, on one side of it each.
      REQUIRE(first_below[static_cast<std::size_t>(rank)].size() == 1);
      REQUIRE(second_below[static_cast<std::size_t>(rank)].size() == 1);
    }
  }
}

TEST_CASE("a broadcast's trees: only the root passes on in both, one child in each") {
  for (int p = 2; p <= testing::sampled(300, 100); ++p) {
    for (const int root : {0, p / 3, p - 1}) {
      CAPTURE(p, root);
      const Tree first = double_binary_trees(p, root)[0];
      const Tree second = double_binary_trees(p, root)[1];
      require_binary(first);
      require_binary(second);
      for (int rank = 0; rank < p; ++rank) {
        CAPTURE(rank);
        const bool leaf_of_both = p % 2 == 0 && rank == (root + 1) % p;
        if (rank == root) {
          REQUIRE(first.is_root(rank));
          REQUIRE(second.is_root(rank));
        } else {
          REQUIRE(trees_passed_on_in(first, second, rank) == (leaf_of_both ? 0 : 1));
        }
      }
    }
  }
}

}  // namespace heddle::plans
