// SPDX-License-Identifier: Apache-2.0
// The skips of the circulant algorithms: by how much each round's messages go round the circle of p ranks.
//
//   halving        p halved, rounded up, until 1            p = 22:  11 6 3 2 1         ⌈log2 p⌉ rounds
//   power_of_two   the powers of two below p                        16 8 4 2 1         ⌈log2 p⌉ rounds
//   sqrt           down in steps of ⌈√p⌉, then halving              17 12 7 4 2 1      about √p + ½·log2 p rounds
//   linear         all of them                                      21 20 19 … 2 1     p-1 rounds, rank order can be kept
//   a list         as given, but those of p or more
//
// Any list will do in which every distance 0 < i < p is a sum of skips, one of each at most and modulo p.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.1, Corollary 2 and the examples after it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/skips.hpp"
#include "algorithms/executors/trees.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// How skips follow from p. A value.
class CirculantSkips {
 public:
  enum class Kind : std::uint8_t { halving, power_of_two, sqrt, linear, list };

  /// Not a list.
  explicit CirculantSkips(Kind kind = Kind::halving) : kind_(kind) {}
  /// "halving", "power_of_two", "sqrt", "linear", "5+3+2+1". Throws InputError.
  static CirculantSkips parse(std::string_view text);

  Kind kind() const { return kind_; }
  /// As parse() takes it.
  std::string name() const;
  /// One per round; falling unless a list is not.
  std::vector<int> for_ranks(int ranks) const;
  /// Only a list may not.
  bool reach_everyone(int ranks) const;
  /// Rounds of a reduce-scatter in which anything is sent; 0 where not everyone is reached.
  int rounds(int ranks) const;

 private:
  Kind kind_;
  std::vector<int> list_;
};

/// The reduce-scatter on these skips: Träff's Algorithm 1 where its choice of rounds works, that is, where each offset can go
/// in the first round whose skip is not above it; else each in the last round that it can. Throws std::logic_error where the
/// skips do not reach everyone.
SkipPlan circulant_plan(int ranks, const CirculantSkips& skips);

/// The same, made once for all ranks. Throws UsageError where the skips do not reach everyone.
std::shared_ptr<const SkipPlan> shared_circulant_plan(Communicator& comm, const CirculantSkips& skips);

// The tree that a block's contributions take to its owner in the circulant reduce-scatter, as a rooted tree of ranks.
//
// With n offsets left, a round of skip s hangs offset i + s on offset i, for s ≤ i + s < n (families/circulant.cpp); the
// rank with offset i is root - i, modulo p. A broadcast takes the rounds backwards: its steps are counted from skip 1 on.
//
// Picture, p = 7, offsets:
//
//   0 - 1            skip 1, step 0 of a broadcast
//   0 --- 2  1 --- 3      2       1
//   0 ------- 4  1 ------- 5  2 ------- 6      4       2
//
// Where rounding up leaves out the last offset of a round, the tree is flatter than a binomial one: p = 9 has height 2.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, proof of Theorem 1 and Fig. 1.

/// Of any skips with one in each round.
Tree skip_tree(const SkipPlan& skips, int root);
/// Of those that halve.
Tree circulant_tree(int ranks, int root);

/// How many ranks are below the root's child that has the most below it, that child included; 0 for a single rank.
std::int64_t largest_branch(const Tree& tree);

// Blocks from each rank to each along the ways of a skip plan: a reduce-scatter whose operation puts blocks side by side.
//
// The block that rank r has for rank r + o goes the way of offset o, in some rounds and by their skips, and stays where it is
// in the others. All ranks do the same at once, so there is one place per offset: what is sent from it is replaced by what
// arrives for it. At the end, place o holds the block from rank r - o.
//
// Picture, p = 7, skips 4, 2, 1, the offsets that every rank sends:
//
//   skip 4   4 5 6        the blocks of ranks r+4, r+5, r+6
//   skip 2   2 3 6        2 and 3 set out here; 6 has 2 to go
//   skip 1   1 3 5        1 sets out; 3 and 5 have 1 to go
//
// Nothing is copied: a block is sent from where it was received, by turns its final place and scratch.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1 and §4, which leaves the craft to the
// reader.

/// Immutable; safe to share between threads; the same for all ranks.
class SkipRelay {
 public:
  /// An offset on its way.
  struct Block {
    int offset;     ///< from the rank that the block is of to the rank that it is for
    int hops;       ///< still to go, with this one
    bool sets_out;  ///< this one is the first
    friend bool operator==(const Block&, const Block&) = default;
  };
  struct Send {
    int skip;
    std::vector<Block> blocks;
  };

  explicit SkipRelay(const SkipPlan& skips);

  int ranks() const { return ranks_; }
  /// What each rank sends, by round.
  const std::vector<std::vector<Send>>& rounds() const { return rounds_; }
  /// Blocks that each rank sends in all.
  std::int64_t blocks_sent() const;

 private:
  int ranks_;
  std::vector<std::vector<Send>> rounds_;
};

/// Blocks. p equal blocks each, that of `outgoing` for rank r and that of `incoming` from rank r at number r.
void relay_alltoall(Communicator& comm, const SkipRelay& relay, ConstVectorView outgoing, VectorView incoming);

}  // namespace heddle::plans

namespace heddle::reduce_scatter {

/// Afterwards this rank's block of `inout` is the result; the rest is undefined. `op` must be commutative, unless the skips are
/// linear. Throws UsageError for skips that do not reach every rank.
void circulant(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
               const plans::CirculantSkips& skips = plans::CirculantSkips());

}  // namespace heddle::reduce_scatter
