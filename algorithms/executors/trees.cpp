// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/trees.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "algorithms/registry/formulas.hpp"

namespace heddle::plans {

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

namespace {

/// Scratch for the blocks of a rank's subtree without its own, side by side in rank order.
class Passage {
 public:
  Passage(const BlockTree& tree, int rank, const BlockPartition& blocks, Datatype type)
      : runs_(tree.below(rank)), rank_(rank), blocks_(blocks), scratch_(type, lay_out()) {}

  /// Where a run of ranks lies that does not hold the rank itself.
  VectorView operator[](Run run) {
    const auto around =
        std::prev(std::upper_bound(runs_.begin(), runs_.end(), run.first, [](int rank, Run r) { return rank < r.first; }));
    std::int64_t begin =
        begins_[static_cast<std::size_t>(around - runs_.begin())] + blocks_.size(around->first, run.first - around->first);
    if (around->first <= rank_ && rank_ < run.first) begin -= blocks_.size(rank_);
    return scratch_.view().slice(begin, blocks_.size(run.first, run.count));
  }

 private:
  /// How long it is.
  std::int64_t lay_out() {
    std::int64_t used = 0;
    for (const Run& run : runs_) {
      begins_.push_back(used);
      used += blocks_.size(run.first, run.count);
      if (run.first <= rank_ && rank_ < run.end()) used -= blocks_.size(rank_);
    }
    return used;
  }

  const RunSet& runs_;
  int rank_;
  const BlockPartition& blocks_;
  std::vector<std::int64_t> begins_;  ///< of each run
  Buffer scratch_;
};

/// Where the blocks of a run of ranks lie, for one who reads them and for one who writes them. A run that holds the rank's own
/// block holds no other.
struct Places {
  std::function<ConstVectorView(Run)> from;
  std::function<VectorView(Run)> into;
};

/// Calls visit for each run of a set, with `rank` in a run of its own.
template <class Visit>
void for_each_run_apart(const RunSet& set, int rank, const Visit& visit) {
  for (const Run& run : set) {
    if (rank < run.first || rank >= run.end()) {
      visit(run);
      continue;
    }
    if (run.first < rank) visit(Run{run.first, rank - run.first});
    visit(Run{rank, 1});
    if (rank + 1 < run.end()) visit(Run{rank + 1, run.end() - rank - 1});
  }
}

/// The pieces of the message that carries a set's blocks; none if it has no elements.
template <class View, class Place>
std::vector<View> pieces_of(const RunSet& set, int rank, const Place& place) {
  std::vector<View> pieces;
  for_each_run_apart(set, rank, [&](Run run) {
    const View piece = place(run);
    if (!piece.empty()) pieces.push_back(piece);
  });
  return pieces;
}

void gather(Communicator& comm, const BlockTree& blocks_below, const Places& places) {
  comm.phase("gather");
  const int rank = comm.rank().value();
  const Tree& tree = blocks_below.tree;
  std::vector<Request> receives;
  for (const int child : tree.children(rank)) {
    const auto pieces = pieces_of<VectorView>(blocks_below.below(child), rank, places.into);
    if (!pieces.empty()) receives.push_back(comm.irecv(Rank(child), pieces));
  }
  comm.wait_all(receives);
  if (tree.is_root(rank)) return;
  const auto pieces = pieces_of<ConstVectorView>(blocks_below.below(rank), rank, places.from);
  if (!pieces.empty()) comm.wait(comm.isend(Rank(tree.parent(rank)), pieces));
}

void scatter(Communicator& comm, const BlockTree& blocks_below, const Places& places) {
  comm.phase("scatter");
  const int rank = comm.rank().value();
  const Tree& tree = blocks_below.tree;
  if (!tree.is_root(rank)) {
    const auto pieces = pieces_of<VectorView>(blocks_below.below(rank), rank, places.into);
    if (!pieces.empty()) comm.wait(comm.irecv(Rank(tree.parent(rank)), pieces));
  }
  std::vector<Request> sends;
  for_each_step(tree, rank, [&](std::span<const int> children) {
    sends.clear();
    for (const int child : children) {
      const auto pieces = pieces_of<ConstVectorView>(blocks_below.below(child), rank, places.from);
      if (!pieces.empty()) sends.push_back(comm.isend(Rank(child), pieces));
    }
    comm.wait_all(sends);
  });
}

Places in_vector(VectorView vector, const BlockPartition& blocks) {
  const auto place = [vector, &blocks](Run run) { return blocks.blocks(vector, run.first, run.count); };
  return {place, place};
}

}  // namespace

void tree_gather(Communicator& comm, const BlockTree& tree, ConstVectorView own, VectorView whole,
                 const BlockPartition& blocks) {
  const int rank = comm.rank().value();
  if (tree.tree.is_root(rank)) {
    if (!own.empty()) comm.copy(blocks.block(whole, rank), own);
    return gather(comm, tree, in_vector(whole, blocks));
  }
  Passage passage(tree, rank, blocks, own.type());
  gather(comm, tree,
         {.from = [&](Run run) -> ConstVectorView { return run.first == rank ? own : passage[run]; },
          .into = [&](Run run) { return passage[run]; }});
}

void tree_scatter(Communicator& comm, const BlockTree& tree, ConstVectorView whole, VectorView own,
                  const BlockPartition& blocks) {
  const int rank = comm.rank().value();
  if (tree.tree.is_root(rank)) {
    scatter(comm, tree, {.from = [&](Run run) { return blocks.blocks(whole, run.first, run.count); }, .into = nullptr});
    if (!own.empty()) comm.copy(own, blocks.block(whole, rank));
    return;
  }
  Passage passage(tree, rank, blocks, own.type());
  scatter(
      comm, tree,
      {.from = [&](Run run) { return passage[run]; }, .into = [&](Run run) { return run.first == rank ? own : passage[run]; }});
}

void tree_gather(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks) {
  gather(comm, tree, in_vector(vector, blocks));
}

void tree_scatter(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks) {
  scatter(comm, tree, in_vector(vector, blocks));
}

namespace {

/// `rank_at(position)` is one to one.
template <class RankAt>
Tree binary_tree(int ranks, const RankAt& rank_at) {
  std::vector<Tree::Edge> edges(static_cast<std::size_t>(ranks));
  for (int position = 1; position < ranks; ++position) {
    const int parent = binary_tree_parent(position, ranks);
    int depth = 0;
    for (int above = parent; above > 0; above = binary_tree_parent(above, ranks)) ++depth;
    edges[static_cast<std::size_t>(rank_at(position))] = {rank_at(parent), depth};
  }
  return {ranks, rank_at(0), [&](int rank) { return edges[static_cast<std::size_t>(rank)]; }};
}

}  // namespace

int binary_tree_parent(int position, int positions) {
  const int bit = position & -position;
  const int cleared = position ^ bit;
  const int above = cleared | (bit << 1);
  return above < positions ? above : cleared;
}

std::vector<Tree> double_binary_trees(int ranks, int root) {
  const auto second = [ranks](int position) {
    if (ranks % 2 == 1) return ranks - position;
    return position == ranks - 1 ? 1 : position + 1;
  };
  return {binary_tree(ranks, [=](int position) { return (root + position) % ranks; }),
          binary_tree(ranks, [=](int position) { return position == 0 ? root : (root + second(position)) % ranks; })};
}

std::vector<Tree> mirrored_binary_trees(int ranks) {
  return {binary_tree(ranks, [](int position) { return position; }), binary_tree(ranks, [ranks](int position) {
            return ranks % 2 == 0 ? ranks - 1 - position : (ranks - position) % ranks;
          })};
}

}  // namespace heddle::plans

namespace heddle {

using plans::BlockTree;
using plans::MakeTree;
using plans::tree_plan;

namespace {

void fill(Algorithm& facts, const formulas::Rounds& rounds, const formulas::BytesSent& bytes) {
  if (!facts.rounds) facts.rounds = rounds;
  if (!facts.bytes) facts.bytes = bytes;
}

auto block_tree_plan(Communicator& comm, std::string_view name, Rank root, MakeTree make) {
  return tree_plan(comm, name, root, [make](int ranks, int at) { return BlockTree(make(ranks, at)); });
}

}  // namespace

Algorithm broadcast::tree_entry(Algorithm facts, MakeTree make) {
  fill(facts, formulas::log2_rounds(), formulas::log2_vectors());
  facts.block_count = formulas::one_element;
  return entry(facts, [make, name = facts.name](Communicator& comm, VectorView vector, Rank root) {
    plans::tree_broadcast(comm, *tree_plan(comm, name, root, make), vector);
  });
}

Algorithm reduce::tree_entry(Algorithm facts, MakeTree make) {
  fill(facts, formulas::whole_log2_rounds(), formulas::vector_once());
  facts.needs.commutative = true;
  facts.block_count = formulas::one_element;
  return entry(facts, [make, name = facts.name](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
    plans::tree_reduce(comm, *tree_plan(comm, name, root, make), inout, op);
  });
}

Algorithm gather::tree_entry(Algorithm facts, MakeTree make) {
  fill(facts, formulas::whole_log2_rounds(), {});
  facts.block_count = formulas::block_per_rank;
  return entry(facts, [make, name = facts.name](Communicator& comm, ConstVectorView own, VectorView whole,
                                                const BlockPartition& blocks, Rank root) {
    plans::tree_gather(comm, *block_tree_plan(comm, name, root, make), own, whole, blocks);
  });
}

Algorithm scatter::tree_entry(Algorithm facts, MakeTree make) {
  fill(facts, formulas::log2_rounds(), formulas::other_blocks_once());
  facts.block_count = formulas::block_per_rank;
  return entry(facts, [make, name = facts.name](Communicator& comm, ConstVectorView whole, VectorView own,
                                                const BlockPartition& blocks, Rank root) {
    plans::tree_scatter(comm, *block_tree_plan(comm, name, root, make), whole, own, blocks);
  });
}

}  // namespace heddle
