// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/trees/tree_blocks.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace heddle::schedule {

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

}  // namespace heddle::schedule
