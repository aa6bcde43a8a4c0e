// SPDX-License-Identifier: Apache-2.0
// Plans that look the same from every rank: in each round, every rank r sends to r + s for each skip s of the round.
//
// A block is named by its offset, the way it has to go: from rank r, block (r + offset) mod p. All ranks send the same offsets
// on the same skips, so one list per round serves p ranks. It is derived backwards. After the last round a rank holds its own
// block, offset 0. Before a round it also holds what it is going to send in it: if offset o is held afterwards (by the peer,
// as by everyone), offset o + s may go on skip s, unless it is held afterwards here as well.
//
//   held(after the last round) = {0}
//   sent(round, s)             = (held(after round) + s) \ held(after round)
//   held(before round)         = held(after round) ∪ sent(round, s) for all its skips s
//
// Picture, p = 8 with the rounds {4}, {2}, {1}, read from the bottom up; from rank 3, offset 5 is block 0:
//
//   round 0   held 0 1 2 3 4 5 6 7   sends 4 5 6 7 to rank + 4
//   round 1   held 0 1 2 3           sends     2 3 to rank + 2
//   round 2   held 0 1               sends       1 to rank + 1
//
// So every offset but 0 has one way: p - 1 blocks sent, received and reduced by each rank, for any p. An offset that could go
// in several rounds goes in the last of them; one that could go on several skips of a round, on that which has fewer.
//
// Träff's skips, Bruck's of radix k + 1 (k skips in a round, one per port) and Trivance's (s and -s) are such lists.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.1 and Corollary 2, which has one skip a
// round, in falling order; the rule for any order and several skips is Swing's (De Sensi et al., App. A.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// By round. A skip may be of either sign; modulo p it is the distance to the peer.
using SkipRounds = std::vector<std::vector<int>>;

struct SkipSend {
  int skip;
  RunSet offsets;  ///< may be empty
};

/// Which offsets every rank sends on which skip.
struct SkipPaths {
  std::vector<std::vector<SkipSend>> rounds;  ///< as many, with as many skips, in the same order as were given
  RunSet reached;                             ///< offsets that have a way; 0 is one of them
};

/// One per round, or none at all: offsets from there on are no longer held when the round begins.
using Horizons = std::vector<int>;

/// Pure. ranks ≥ 1.
SkipPaths skip_paths(int ranks, const SkipRounds& rounds, const Horizons& horizons = {});

/// Whether the skips reach every offset: only then do they make a plan.
bool reaches_everyone(int ranks, const SkipRounds& rounds, const Horizons& horizons = {});

/// r moved on by a skip of either sign, on a circle of p.
constexpr int moved_by(int rank, int skip, int ranks) { return ((rank + skip) % ranks + ranks) % ranks; }

/// Blocks lie in rank order. Costs memory for the rounds' runs only, not for each rank.
class SkipPlan final : public BlockSteps {
 public:
  /// Throws std::logic_error if not every rank is reached.
  SkipPlan(int ranks, const SkipRounds& rounds, const Horizons& horizons = {});
  /// Ways that are found otherwise. Skips may repeat within a round: several messages to one peer.
  SkipPlan(int ranks, SkipPaths paths);

  int ranks() const override { return ranks_; }
  int steps() const override { return static_cast<int>(rounds_.size()); }
  bool is_one_each_way(int) const override {
    return std::ranges::all_of(rounds_, [](const std::vector<SkipSend>& sends) { return sends.size() <= 1; });
  }
  BlockStep step(int rank, int step, BlockStepPool& pool) const override;

  /// What each rank sends in a round; skips that carry nothing are left out.
  const std::vector<SkipSend>& round(int step) const { return rounds_[static_cast<std::size_t>(step)]; }

 private:
  int ranks_;
  std::vector<std::vector<SkipSend>> rounds_;  ///< rounds in which nothing is sent are left out
};

/// How an offset sets out.
struct SkipHop {
  int round;
  int send;  ///< which of the round's sends
  int skip;
};

/// By offset; nothing is said of offset 0. The rest of the way is that of offset - skip.
std::vector<SkipHop> first_hops(const SkipPlan& plan);

// Skip plans over several dimensions that take turns: Trivance's and Bruck's on a torus.
//
// Along one dimension a plan looks the same from every coordinate (executors/skips.hpp), and what moves along one dimension
// leaves the others alone. So a block, named by its offset in each dimension, is held as long as it is held in all of them, and
// what a rank sends is a product of one-dimensional sets:
//
//   step (dimension d, round k, skip s):   sent(d, k, s) × held(i, now) for all other dimensions i
//
// The lists of the dimensions and, of these, what each coordinate's offsets are as places are all that is stored; a step's runs
// are multiplied out when they are asked for.
//
// Where nobody cares which rank owns which part of the vector, the dimension that has the first turn is the outermost, and each
// dimension's coordinates lie in an order of their own (block_layout.hpp), so that runs are long. Otherwise blocks lie in rank
// order. Source: Trivance (Jürß et al.) §5; Swing (De Sensi et al.) §4.

/// A pattern along one dimension: `paths` makes it for a size; no other pattern has its `name`.
struct SkipPattern {
  std::string name;
  std::function<SkipPaths(int size)> paths;
};

class LatticeSkipPlan final : public BlockSteps {
 public:
  enum class Layout : std::uint8_t { compact, rank_order };

  /// The dimensions take turns from `first_dimension` on. Throws std::logic_error if the pattern
  /// does not reach everyone.
  LatticeSkipPlan(const Lattice& lattice, const SkipPattern& pattern, int first_dimension, Layout layout);

  int ranks() const override { return ranks_; }
  int steps() const override { return static_cast<int>(steps_.size()); }
  bool is_one_each_way(int) const override {
    return std::ranges::all_of(steps_, [this](const Step& step) { return sends_in(step).size() <= 1; });
  }
  int block_at(int position) const override;
  BlockStep step(int rank, int step, BlockStepPool& pool) const override;

 private:
  /// A set of offsets as the places of each coordinate's blocks.
  using PlacesByCoordinate = std::vector<RunSet>;
  struct Send {
    int skip;
    PlacesByCoordinate places;
  };
  struct Dimension {
    int size = 1;
    int stride = 1;                              ///< of a coordinate in a rank's number among all coordinates
    std::vector<int> coordinate_at;              ///< by place
    std::vector<std::vector<Send>> rounds;       ///< by round
    std::vector<PlacesByCoordinate> held_after;  ///< by the number of rounds that are done
  };
  struct Step {
    std::size_t dimension;
    std::size_t round;
    std::vector<std::size_t> done;  ///< rounds, by dimension, before the step
  };

  const std::vector<Send>& sends_in(const Step& step) const { return dimensions_[step.dimension].rounds[step.round]; }
  static Dimension make_dimension(const SkipPaths& paths, int size, Layout layout);
  int coordinate(int node, std::size_t dimension) const;
  int moved(int node, std::size_t dimension, int skip) const;
  /// Along the dimension, of what the rank at `node` sends.
  const RunSet& places_in(std::size_t dimension, int node, const Step& step, const Send& send) const;
  /// Appends the blocks that lie at the places in all dimensions, outermost first.
  void append_runs(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const;
  /// The places in all dimensions, outermost first, as positions.
  void append_product(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const;

  int ranks_;
  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> outermost_first_;
  std::vector<Step> steps_;
  // A node is a rank's number by coordinates, the last dimension varying fastest.
  std::vector<int> rank_at_node_;  ///< empty: the identity
  std::vector<int> node_of_rank_;  ///< likewise
  bool blocks_are_in_rank_order_;
};

// Collectives of blocks by skip plans on a lattice: one per dimension at once, each on its part of the vector, each
// starting in another dimension, so that equal dimensions never serve two. What Trivance and Bruck share.

// Blocks. Arguments as in registry/entry.hpp; `op` must be commutative. The vector is not empty.

void allreduce_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const ReduceOp& op);
void reduce_scatter_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const BlockPartition& blocks,
                             const ReduceOp& op);
void allgather_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::plans
