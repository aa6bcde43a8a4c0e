// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/permuted_blocks.hpp"

#include <utility>
#include <vector>

namespace heddle::schedule {

namespace {

BlockPartition partition_by_position(const BlockSchedule& schedule, const BlockPartition& blocks) {
  std::vector<std::int64_t> sizes;
  for (int position = 0; position < schedule.ranks(); ++position) sizes.push_back(blocks.size(schedule.block_at(position)));
  return BlockPartition::of_sizes(sizes);
}

void copy_unless_empty(Communicator& comm, VectorView into, ConstVectorView from) {
  if (!from.empty()) comm.copy(into, from);
}

}  // namespace

PermutedBlocks::PermutedBlocks(const BlockSchedule& schedule, BlockPartition blocks)
    : schedule_(schedule), blocks_(std::move(blocks)), by_position_(partition_by_position(schedule, blocks_)) {}

void PermutedBlocks::permute(Communicator& comm, VectorView permuted, ConstVectorView in_rank_order) const {
  for (int rank = 0; rank < schedule_.ranks(); ++rank)
    copy_unless_empty(comm, block(permuted, rank), blocks_.block(in_rank_order, rank));
}

void PermutedBlocks::restore(Communicator& comm, VectorView in_rank_order, VectorView permuted) const {
  for (int rank = 0; rank < schedule_.ranks(); ++rank)
    copy_unless_empty(comm, blocks_.block(in_rank_order, rank), block(permuted, rank));
}

}  // namespace heddle::schedule
