// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/trees/tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace heddle::schedule {

namespace {

int counted_from(int root, int rank, int ranks) { return (rank - root + ranks) % ranks; }
int rank_of(int number, int root, int ranks) { return (number + root) % ranks; }

}  // namespace

Tree::Tree(int ranks, int root, const EdgeOf& edge_of)
    : root_(root),
      nodes_(static_cast<std::size_t>(ranks)),
      by_step_(static_cast<std::size_t>(ranks)),
      children_(static_cast<std::size_t>(ranks - 1)) {
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank != root) node(rank).edge = edge_of(rank);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    const auto [parent, step] = node(rank).edge;
    if (rank == root) continue;
    if (parent < 0 || parent >= ranks || this->step(parent) >= step)
      throw std::logic_error(
          fmt::format("tree: of {} ranks, {} cannot hear from {} in step {}: that is no rank or hears later itself", ranks,
                      rank, parent, step));
    ++node(parent).children;
  }

  // Steps grow downwards, so their order puts parents before children and siblings in the order in which they are sent to.
  std::iota(by_step_.begin(), by_step_.end(), 0);
  std::stable_sort(by_step_.begin(), by_step_.end(), [this](int a, int b) { return step(a) < step(b); });
  std::size_t used = 0;
  for (Node& parent : nodes_) {
    parent.first_child = used;
    used += std::exchange(parent.children, 0);
  }
  for (const int rank : by_step_) {
    if (rank == root) continue;
    Node& above = node(parent(rank));
    children_[above.first_child + above.children++] = rank;
    node(rank).depth = above.depth + 1;
  }
  std::for_each(by_step_.rbegin(), by_step_.rend(), [this](int rank) {
    if (rank != root_) node(parent(rank)).height = std::max(height(parent(rank)), height(rank) + 1);
  });
}

std::vector<RunSet> Tree::subtrees() const {
  std::vector<RunSet> sets(nodes_.size());
  for (int rank = 0; rank < ranks(); ++rank) sets[static_cast<std::size_t>(rank)] = {{rank, 1}};
  std::for_each(by_step_.rbegin(), by_step_.rend(), [&](int rank) {
    if (rank == root_) return;
    RunSet& above = sets[static_cast<std::size_t>(parent(rank))];
    above = unite(above, sets[static_cast<std::size_t>(rank)]);
  });
  return sets;
}

Tree::Edge binomial_halving_edge(int rank, int ranks, int root) {
  const int number = counted_from(root, rank, ranks);
  const int bit = std::countr_zero(static_cast<unsigned>(number));
  const int steps = std::bit_width(static_cast<unsigned>(ranks - 1));
  return {rank_of(number & (number - 1), root, ranks), steps - 1 - bit};
}

Tree::Edge binomial_doubling_edge(int rank, int ranks, int root) {
  const int number = counted_from(root, rank, ranks);
  const int bit = std::bit_width(static_cast<unsigned>(number)) - 1;
  return {rank_of(number & ~(1 << bit), root, ranks), bit};
}

Tree binomial_halving_tree(int ranks, int root) {
  return {ranks, root, [=](int rank) { return binomial_halving_edge(rank, ranks, root); }};
}

Tree binomial_doubling_tree(int ranks, int root) {
  return {ranks, root, [=](int rank) { return binomial_doubling_edge(rank, ranks, root); }};
}

Tree star_tree(int ranks, int root) {
  return {ranks, root, [=](int) { return Tree::Edge{root, 0}; }};
}

Tree chain_tree(int ranks, int root) {
  return {ranks, root, [=](int rank) { return Tree::Edge{(rank + ranks - 1) % ranks, counted_from(root, rank, ranks) - 1}; }};
}

void tree_broadcast(Communicator& comm, const Tree& tree, VectorView vector) {
  comm.phase("broadcast");
  const int rank = comm.rank().value();
  if (!tree.is_root(rank)) comm.recv(Rank(tree.parent(rank)), vector);
  std::vector<Request> sends;
  for_each_step(tree, rank, [&](std::span<const int> children) {
    sends.clear();
    for (const int child : children) sends.push_back(comm.isend(Rank(child), vector));
    comm.wait_all(sends);
  });
}

void tree_reduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op) {
  comm.phase("reduce");
  const int rank = comm.rank().value();
  const std::span<const int> children = tree.children(rank);
  Buffer scratch(inout.type(), children.empty() ? 0 : inout.count());
  std::for_each(children.rbegin(), children.rend(), [&](int child) {
    comm.recv(Rank(child), scratch.view());
    comm.reduce_into(inout, scratch.view(), op, child < rank ? Side::left : Side::right);
  });
  if (!tree.is_root(rank)) comm.send(Rank(tree.parent(rank)), inout);
}

}  // namespace heddle::schedule
