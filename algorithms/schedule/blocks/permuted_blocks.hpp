// SPDX-License-Identifier: Apache-2.0
// A vector's blocks copied into the order in which a schedule lays them out, and back.
#pragma once

#include "algorithms/schedule/blocks/block_schedule.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// Refers to the schedule.
class PermutedBlocks {
 public:
  /// `blocks` lie in rank order.
  PermutedBlocks(const BlockSchedule& schedule, BlockPartition blocks);

  /// The blocks by position.
  const BlockPartition& by_position() const { return by_position_; }
  /// Where the block of `rank` lies in a permuted vector.
  VectorView block(VectorView permuted, int rank) const { return by_position_.block(permuted, schedule_.position(rank)); }

  /// Block. From rank order to the schedule's, one copy per block.
  void permute(Communicator& comm, VectorView permuted, ConstVectorView in_rank_order) const;
  /// Back.
  void restore(Communicator& comm, VectorView in_rank_order, VectorView permuted) const;

 private:
  const BlockSchedule& schedule_;
  BlockPartition blocks_;
  BlockPartition by_position_;
};

}  // namespace heddle::schedule
