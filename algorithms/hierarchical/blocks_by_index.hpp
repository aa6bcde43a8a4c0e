// SPDX-License-Identifier: Apache-2.0
// A vector of one block per rank, laid out so that the indices of each level own consecutive parts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/hierarchical/hierarchical_phases.hpp"
#include "algorithms/schedule/tiers/hierarchy.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle {

class IndexLayout {
 public:
  /// Of a hierarchy of two levels or more.
  IndexLayout(Communicator& comm, const HierarchicalPhases& phases, std::shared_ptr<const schedule::Hierarchy> hierarchy,
              const BlockPartition& blocks);

  /// Where a rank's block is.
  template <class View>
  View block(View laid_out, int rank) const {
    return place(laid_out, place_of_[static_cast<std::size_t>(rank)]);
  }
  /// Who has the rank's block between the outermost level and the end.
  int holder(int rank) const { return plan_->holder[static_cast<std::size_t>(rank)]; }
  /// The ranks whose blocks this rank holds for them, itself not among them.
  std::vector<int> surplus_ranks(int rank) const;

  /// A consecutive part of the layout, and how the ranks of one level share it.
  struct Shared {
    VectorView vector;
    BlockPartition blocks;
  };
  /// What this rank shares with the others of its sub-communicators, level by level, as far as it is in one.
  std::vector<Shared> shared(VectorView laid_out, int rank) const;

 private:
  template <class View>
  View place(View laid_out, int place) const {
    return laid_out.slice(offset_[static_cast<std::size_t>(place)],
                          offset_[static_cast<std::size_t>(place) + 1] - offset_[static_cast<std::size_t>(place)]);
  }

  std::shared_ptr<const schedule::Hierarchy> hierarchy_;
  std::shared_ptr<const schedule::BlocksByIndex> plan_;
  std::vector<std::int64_t> offset_;  ///< by place
  std::vector<int> place_of_;         ///< by rank
};

}  // namespace heddle
