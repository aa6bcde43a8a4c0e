// SPDX-License-Identifier: Apache-2.0
// The ways of blocks in an alltoall along a Bine butterfly. Pure.
//
// Seats stand round a circle, an even number of them. A block whose destination is `slot` seats further from its source, if
// that is even, or as far back, if it is odd, is in that slot all the way: all seats look alike, so at any time each has one
// block in each slot, and in a step partners swap those slots whose ways take it.
//
//   8 seats   slot      0    1    2    3    4    5    6    7
//             takes     -    0   0,1   2   1,2 0,1,2 0,2   1       step 0: 1 further, step 1: 1 back, step 2: 3 further
//
// (from an even seat; from an odd one the other way round, and each step leads from one to the other). At powers of two that
// is v(slot) of a Bine tree. At other even numbers a slot that two ways reach takes that which begins later.
// Source: Bine (De Sensi et al.) §4.4, §3.2; App. C (even p).
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::schedule {

class BineWays {
 public:
  /// An even number, or 1.
  explicit BineWays(int seats);

  int seats() const { return static_cast<int>(ways_.size()); }
  int steps() const { return steps_; }
  /// Bit k: whether the slot's way takes step k.
  std::uint32_t way(int slot) const { return ways_[static_cast<std::size_t>(slot)]; }
  bool takes(int slot, int step) const { return ((way(slot) >> step) & 1) != 0; }

  /// Where the block of that source and slot is to go.
  int destination(int source, int slot) const;
  /// Where the block comes from that `seat` has in a slot before a step; before step steps(), in the end.
  int source(int seat, int slot, int step) const;

 private:
  int steps_;
  std::vector<std::uint32_t> ways_;
};

}  // namespace heddle::schedule
