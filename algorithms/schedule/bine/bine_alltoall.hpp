// SPDX-License-Identifier: Apache-2.0
// The ways of blocks in an alltoall along a Bine butterfly. Pure.
//
// Positions stand round a circle, an even number of them. A block whose destination is `index` positions further from its
// source, if that is even, or as far back, if it is odd, keeps that index all the way. All positions look alike, so at any time
// each has one block of each index, and in a step partners swap those whose ways take it.
//
//   8 positions   index      0    1    2    3    4    5    6    7
//                 takes      -    0   0,1   2   1,2 0,1,2 0,2   1       step 0: 1 further, step 1: 1 back, step 2: 3 further
//
// (from an even position; from an odd one the other way round, and each step leads from one to the other). At powers of two
// that is v(index) of a Bine tree. At other even numbers an index that two ways reach takes that which begins later.
// Source: Bine (De Sensi et al.) §4.4, §3.2; App. C (even p).
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::schedule {

class BineWays {
 public:
  /// An even number, or 1.
  explicit BineWays(int positions);

  int positions() const { return static_cast<int>(ways_.size()); }
  int steps() const { return steps_; }
  /// Bit k: whether the index's way takes step k.
  std::uint32_t way(int index) const { return ways_[static_cast<std::size_t>(index)]; }
  bool takes(int index, int step) const { return ((way(index) >> step) & 1) != 0; }

  /// Where the block of that source and index is to go.
  int destination(int source, int index) const;
  /// Where the block comes from that `position` has of an index before a step; before step steps(), in the end.
  int source(int position, int index, int step) const;

 private:
  int steps_;
  std::vector<std::uint32_t> ways_;
};

}  // namespace heddle::schedule
