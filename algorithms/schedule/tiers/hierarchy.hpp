// SPDX-License-Identifier: Apache-2.0
// Ranks in groups of groups, and who meets whom on each level. Pure.
//
// Level 0 joins ranks into the fabric's innermost groups, level t joins groups of level t-1 into groups of level t, the last
// level joins all. A rank's position on level t says which of its group's parts it is in, counted by their lowest ranks.
//
//   13 + 7 + 12 ranks, two levels:       position on level 0   0 1 2 … 6 | 7 … 12       7 slots, and 6 surplus ranks in the
//                                        position on level 1   0, 1 or 2                first group, 5 in the last
//
// A level has as many slots as its smallest group has parts: so many ranks of each group can meet their like of other groups
// one level up. Which ranks meet on a level, by slot: those of one group of it that have one and the same position below a
// level's slots on each level beneath. Which meet by lead, under a root: those that lead their groups beneath, the root its
// own.
#pragma once

#include <vector>

#include "core/grid.hpp"

namespace heddle::schedule {

/// What split() takes: ranks of one color meet, in the order of their keys. A negative color: the rank is not there.
struct Seat {
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
  int slots(int level) const { return at(level).slots; }
  /// Whether each level's groups have equally many parts.
  bool even() const;
  /// Slots of all levels beneath, multiplied.
  int slots_beneath(int level) const;

  /// Where the rank sits on a level by slot.
  Seat by_slot(int level, int rank) const;
  /// Where it sits by lead.
  Seat by_lead(int level, int rank, int root) const;
  /// The position that sends or receives for the root on a level, in the rank's group of it: the root's own, so that leaders
  /// sit alike, or where the group is too small for it, modulo its parts.
  int lead(int level, int rank, int root) const { return position(level, root) % parts(level, rank); }

  /// The ranks that meet on a level under these seats, each list by key; lists in no particular order.
  std::vector<std::vector<int>> meetings(const std::vector<Seat>& seats) const;

  /// The slot that serves `rank` on a level: its own position where that is a slot, else it wraps round. On the last level: its
  /// position.
  int slot_for(int level, int rank) const;

 private:
  struct Level {
    std::vector<int> group;     ///< by rank
    std::vector<int> position;  ///< by rank
    std::vector<int> parts;     ///< by group
    int slots = 1;
  };
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  void add_level(const std::vector<int>& group);

  int ranks_;
  std::vector<Level> levels_;
};

/// Blocks of p ranks in the order in which a reduce-scatter from the innermost level outwards takes them apart: each step's
/// blocks are consecutive. Surplus ranks' blocks travel with a slot's and are handed over in the end.
struct BlocksBySlot {
  std::vector<int> order;   ///< whose block is at each place
  std::vector<int> holder;  ///< by rank: who has the rank's block after the last level; itself, unless it is a surplus rank

  explicit BlocksBySlot(const Hierarchy& hierarchy);

  /// Places first … end - 1.
  struct Range {
    int first = 0;
    int end = 0;
  };
  /// The ranges that the members of `rank`'s meeting on a level keep of `whole`, by position; empty ones for surplus members.
  std::vector<Range> parts(const Hierarchy& hierarchy, int level, int rank, Range whole) const;
};

}  // namespace heddle::schedule
