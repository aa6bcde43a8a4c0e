// SPDX-License-Identifier: Apache-2.0
// Groups of processes (MPI 5.0, §7.3): ordered lists of ranks of the world. Values; a group does not change.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace heddle::mpi {

class Group {
 public:
  Group() = default;
  /// World ranks in the order of the group's, each once.
  explicit Group(std::vector<int> members);

  int size() const { return static_cast<int>(members_->size()); }
  /// The world rank of rank `rank`, 0 ≤ rank < size().
  int world_rank(int rank) const { return (*members_)[static_cast<std::size_t>(rank)]; }
  /// MPI_UNDEFINED if it is not a member.
  int rank_of(int world_rank) const;
  std::span<const int> members() const { return *members_; }

  /// Those ranks of this group, in that order (MPI_Group_incl). Each is in range and named once.
  Group including(std::span<const int> ranks) const;
  /// Without them, in this group's order (MPI_Group_excl).
  Group excluding(std::span<const int> ranks) const;

  /// MPI_IDENT: the same members in the same order; MPI_SIMILAR: in another; else MPI_UNEQUAL.
  static int compare(const Group& a, const Group& b);
  /// a, then what b has besides.
  static Group unite(const Group& a, const Group& b);
  static Group intersect(const Group& a, const Group& b);
  static Group subtract(const Group& a, const Group& b);

 private:
  std::shared_ptr<const std::vector<int>> members_ = std::make_shared<const std::vector<int>>();
  std::shared_ptr<const std::vector<int>> by_world_rank_ = members_;  ///< ranks of the group, by their world rank ascending
};

/// The ranks that MPI_Group_range_incl names: first, first + stride, … up to last, for each triple. No value in `ranks` is checked.
std::vector<int> ranks_of_ranges(std::span<const int[3]> ranges);

}  // namespace heddle::mpi
