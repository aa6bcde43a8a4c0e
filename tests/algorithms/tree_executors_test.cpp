// SPDX-License-Identifier: Apache-2.0
// What runs over trees, over any tree: random ones, whose subtrees are any sets of ranks.
#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>

#include "algorithms/executors/pipeline.hpp"
#include "algorithms/executors/trees.hpp"
#include "tests/algorithms/thread_communicator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

namespace {

using testing::ThreadWorld;

/// Ranks hang on any of those before them in a random order, in steps of which siblings may share one.
Tree random_tree(int ranks, std::mt19937& random) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Tree::Edge> edges(order.size(), {-1, -1});
  const auto edge = [&](int rank) -> Tree::Edge& { return edges[static_cast<std::size_t>(rank)]; };
  for (std::size_t i = 1; i < order.size(); ++i) {
    const int parent = order[random() % i];
    edge(order[i]) = {parent, edge(parent).step + 1 + static_cast<int>(random() % 3)};
  }
  return {ranks, order.front(), edge};
}

std::vector<int> numbers(int rank, std::int64_t count) {
  std::vector<int> vector(static_cast<std::size_t>(count));
  std::iota(vector.begin(), vector.end(), 1000 * rank);
  return vector;
}

/// Runs `body` on every rank with a vector of its numbers; what they then hold.
template <class Body>
std::vector<std::vector<int>> results(ThreadWorld& world, int ranks, std::int64_t count, const Body& body) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(ranks));
  world.run([&](Communicator& comm) {
    std::vector<int> vector = numbers(comm.rank().value(), count);
    body(comm, vector);
    all[static_cast<std::size_t>(comm.rank().value())] = vector;
  });
  return all;
}

std::vector<int> sums(int ranks, std::int64_t count) {
  std::vector<int> sum(static_cast<std::size_t>(count));
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<int> more = numbers(rank, count);
    std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

}  // namespace

TEST_CASE("broadcast, reduce and pipelines over any tree") {
  std::mt19937 random(1);
  for (int trial = 0; trial < testing::sample(20, 600); ++trial) {
    const int p = 1 + static_cast<int>(random() % 12);
    const std::int64_t count = 1 + static_cast<std::int64_t>(random() % 9);
    const auto segments = 1 + static_cast<std::int64_t>(random() % 7);
    const Tree tree = random_tree(p, random);
    CAPTURE(trial, p, count, segments, tree.root());
    const std::vector<int> sum = sums(p, count);
    const std::vector<int> roots = numbers(tree.root(), count);
    const int cut = static_cast<int>(std::min(segments, count));
    const auto root = static_cast<std::size_t>(tree.root());
    {
      ThreadWorld world(p);
      for (const auto& result : results(world, p, count, [&](auto&comm, auto&v) { tree_broadcast(comm, tree, v); }))
        REQUIRE(result == roots);
    }
    {
      ThreadWorld world(p);
      REQUIRE(results(world, p, count, [&](auto& comm, auto& v) { tree_reduce(comm, tree, v, ReduceOp::sum()); })[root] == sum);
      REQUIRE(world.rounds() == tree.height());
    }
    {
      ThreadWorld world(p);
      for (const auto& result :
           results(world, p, count, [&](auto&comm, auto&v) { pipelined_broadcast(comm, tree, v, segments); }))
        REQUIRE(result == roots);
      REQUIRE(world.rounds() == (p == 1 ? 0 : tree.height() + cut - 1));
    }
    {
      ThreadWorld world(p);
      REQUIRE(results(world, p, count,
                      [&](auto& comm, auto& v) { pipelined_reduce(comm, tree, v, ReduceOp::sum(), segments); })[root] == sum);
      REQUIRE(world.rounds() == (p == 1 ? 0 : tree.height() + cut - 1));
    }
    {
      ThreadWorld world(p);
      for (const auto& result :
           results(world, p, count, [&](auto&comm, auto&v) { pipelined_allreduce(comm, tree, v, ReduceOp::sum(), segments); }))
        REQUIRE(result == sum);
      REQUIRE(world.rounds() == (p == 1 ? 0 : 2 * tree.height() + cut - 1));
    }
  }
}

TEST_CASE("gather and scatter over any tree, blocks of any size") {
  std::mt19937 random(2);
  for (int trial = 0; trial < testing::sample(20, 600); ++trial) {
    const int p = 1 + static_cast<int>(random() % 12);
    const BlockTree tree(random_tree(p, random));
    const int root = tree.tree.root();
    std::vector<std::int64_t> sizes;
    for (int rank = 0; rank < p; ++rank) sizes.push_back(static_cast<std::int64_t>(random() % 4));
    const BlockPartition blocks = BlockPartition::of_sizes(sizes);
    const std::vector<int> whole = numbers(7, blocks.count());
    const auto block = [&](int rank) {
      const auto first = whole.begin() + blocks.offset(rank);
      return std::vector<int>(first, first + blocks.size(rank));
    };
    CAPTURE(trial, p, root);
    std::vector<std::string> wrong(static_cast<std::size_t>(p));
    ThreadWorld world(p);
    world.run([&](Communicator& comm) {
      const int rank = comm.rank().value();
      const bool is_root = rank == root;
      const auto check = [&](bool right, const char* what) {
        if (!right) wrong[static_cast<std::size_t>(rank)] += what;
      };
      const std::vector<int> mine = block(rank);
      std::vector<int> gathered(is_root ? whole.size() : 0);
      tree_gather(comm, tree, mine, gathered, blocks);
      check(!is_root || gathered == whole, "gather ");

      std::vector<int> own(mine.size());
      tree_scatter(comm, tree, is_root ? ConstVectorView(whole) : ConstVectorView(), own, blocks);
      check(own == mine, "scatter ");

      // Through whole vectors: then those of the subtree are there, too.
      std::vector<int> vector(whole.size(), -1);
      if (is_root) vector = whole;
      tree_scatter(comm, tree, vector, blocks);
      for (const Run& run : tree.below(rank)) {
        for (int b = run.first; b < run.end(); ++b)
          check(std::equal(whole.begin() + blocks.offset(b), whole.begin() + blocks.offset(b + 1),
                           vector.begin() + blocks.offset(b)),
                "scatter of vectors ");
      }
      std::fill(vector.begin(), vector.end(), -1);
      std::copy(own.begin(), own.end(), vector.begin() + blocks.offset(rank));
      tree_gather(comm, tree, vector, blocks);
      check(!is_root || vector == whole, "gather of vectors ");
    });
    REQUIRE(wrong == std::vector<std::string>(wrong.size()));
  }
}

}  // namespace heddle::plans
