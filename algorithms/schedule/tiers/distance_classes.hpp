// SPDX-License-Identifier: Apache-2.0
// Every rank's peers in an order in which, round by round, all ranks talk at the same distance. Pure.
//
// A rank's place is a number of as many digits as the hierarchy has levels: its position in its innermost group, that group's
// position in the next, and so on. A round is a shift: o_t places further on each level t. The outermost level on which a shift
// is not zero is the distance of every pair in its round: 0 within an innermost group. Rounds are ordered by distance, near
// ones first.
//
//   two groups of three      within: +1, +2     between: (+0, next group), (+1, next group), (+2, next group)
//
// Shifts wrap round at the most parts that any group of a level has. Where groups are smaller, a shift may lead to a place that
// nobody has: the rank sends nothing in that round. Sender and receiver count the same rounds, so that no one waits for another
// that has gone on.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule/tiers/hierarchy.hpp"

namespace heddle::schedule {

class DistanceClasses {
 public:
  explicit DistanceClasses(const Hierarchy& hierarchy);

  int ranks() const { return static_cast<int>(place_.size()); }

  struct Round {
    int dest = -1;    ///< -1: to nobody
    int source = -1;  ///< -1: from nobody
    std::int64_t shift = 0;
  };
  /// The rounds in which the rank has something to do, in order: each peer is dest once and source once.
  std::vector<Round> rounds(int rank) const;
  /// The outermost level on which the shift is not zero: 0 … levels - 1.
  int distance(std::int64_t shift) const;
  /// The longest chain of messages, each sent in a later round of a rank than the one before it: p - 1 where groups are even.
  int longest_chain() const;

 private:
  /// From place `from` to place `to`.
  std::int64_t shift(std::int64_t from, std::int64_t to) const;

  std::vector<std::int64_t> weight_;  ///< of a level's digit; one more than levels
  std::vector<std::int64_t> place_;   ///< by rank
  bool even_;
};

}  // namespace heddle::schedule
