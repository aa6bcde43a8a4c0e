// SPDX-License-Identifier: Apache-2.0
// Blocks from each rank to each along the ways of a skip schedule: a reduce-scatter whose operation puts blocks side by side.
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
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule/skips/skip_schedule.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

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

  explicit SkipRelay(const SkipSchedule& skips);

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

}  // namespace heddle::schedule
