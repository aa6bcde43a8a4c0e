// SPDX-License-Identifier: Apache-2.0
// Ranks in groups of groups, and who shares a sub-communicator with whom on each level. Pure.
//
// Level 0 joins ranks into the fabric's innermost groups, level t joins groups of level t-1 into groups of level t, the last
// level joins all. A rank's position on level t says which of its group's parts it is in, counted by their lowest ranks.
//
//   13 + 7 + 12 ranks, two levels:       position on level 0   0 1 2 … 6 | 7 … 12       7 indices, and 6 surplus ranks in the
//                                        position on level 1   0, 1 or 2                first group, 5 in the last
//
// A level has as many indices as its smallest group has parts: so many ranks of each group have their like in all other groups,
// one level up. Two rules say which ranks share a sub-communicator on a level:
//
//   by index     those of one group of the level that have the same position below a level's indices on each level beneath
//   by leader    under a root: those that are the leaders of their groups beneath; of its own groups the root is the leader
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/grid.hpp"

namespace heddle::plans {

/// What split() takes: ranks of one color share a sub-communicator, in the order of their keys. A negative color: in none.
struct Membership {
  int color = -1;
  int key = 0;
};

class Hierarchy {
 public:
  /// Of the innermost most_levels - 1 tiers and all ranks: most_levels ≥ 1. No tiers at all are one group. Throws UsageError if
  /// a group of one tier does not lie within one of the next.
  Hierarchy(const Tiers& tiers, int ranks, int most_levels);

  int ranks() const { return ranks_; }
  int levels() const { return static_cast<int>(levels_.size()); }
  /// The number of the rank's group: 0 … groups - 1.
  int group(int level, int rank) const { return at(level).group[static_cast<std::size_t>(rank)]; }
  int position(int level, int rank) const { return at(level).position[static_cast<std::size_t>(rank)]; }
  /// Of the rank's group.
  int parts(int level, int rank) const { return at(level).parts[static_cast<std::size_t>(group(level, rank))]; }
  /// The least number of parts of a group.
  int indices(int level) const { return at(level).indices; }
  /// Whether each level's groups have equally many parts.
  bool even() const;
  /// Indices of all levels beneath, multiplied.
  int indices_beneath(int level) const;

  /// The rank's sub-communicator on a level by index.
  Membership by_index(int level, int rank) const;
  /// By leader.
  Membership by_leader(int level, int rank, int root) const;
  /// The position that sends or receives for the root on a level, in the rank's group of it: the root's own, so that leaders
  /// have one position, or where the group is too small for it, modulo its parts.
  int leader(int level, int rank, int root) const { return position(level, root) % parts(level, rank); }

  /// The ranks of each sub-communicator that these memberships make, by key; the lists in no particular order.
  std::vector<std::vector<int>> sub_communicators(const std::vector<Membership>& memberships) const;

  /// The index that serves `rank` on a level: its own position where that is an index, else it wraps round. On the last level:
  /// its position.
  int index_for(int level, int rank) const;

 private:
  struct Level {
    std::vector<int> group;     ///< by rank
    std::vector<int> position;  ///< by rank
    std::vector<int> parts;     ///< by group
    int indices = 1;
  };
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  void add_level(const std::vector<int>& group);

  int ranks_;
  std::vector<Level> levels_;
};

/// Blocks of p ranks in the order in which a reduce-scatter from the innermost level outwards takes them apart: each step's
/// blocks are consecutive. Surplus ranks' blocks travel with an index's and are handed over in the end.
struct BlocksByIndex {
  std::vector<int> order;   ///< whose block is at each place
  std::vector<int> holder;  ///< by rank: who has the rank's block after the last level; itself, unless it is a surplus rank

  explicit BlocksByIndex(const Hierarchy& hierarchy);

  /// Places first … end - 1.
  struct Range {
    int first = 0;
    int end = 0;
  };
  /// The ranges that the members of `rank`'s sub-communicator on a level keep of `whole`, by position; empty ones for surplus
  /// members.
  std::vector<Range> parts(const Hierarchy& hierarchy, int level, int rank, Range whole) const;
};

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

}  // namespace heddle::plans
