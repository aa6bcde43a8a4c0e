// SPDX-License-Identifier: Apache-2.0
// Where the chunks of a schedule lie in the vector of one call, and how long they are.
#pragma once

#include <cstdint>

#include "core/block_partition.hpp"
#include "core/collective.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

class ChunkGeometry {
 public:
  /// `blocks`: of a collective that has blocks, how `count` elements are cut. `root` may differ from the program's: then rank
  /// program.root + i of the schedule is rank root + i of the call. All outlive it.
  ChunkGeometry(const ScheduleProgram& program, std::int64_t count, const BlockPartition& blocks, int root);

  /// Which rank of the schedule a rank of the call is, and back.
  int scheduled_rank(int rank) const { return turned(rank, -turn_); }
  int called_rank(int scheduled) const { return turned(scheduled, turn_); }

  /// Elements of the chunk `index` of the whole vector.
  std::int64_t size(std::int32_t index) const { return part_of(index).size(index % per_block_); }
  /// Where it begins there.
  std::int64_t offset(std::int32_t index) const { return block_offset(index) + part_of(index).offset(index % per_block_); }
  /// Where the chunk begins in its block.
  std::int64_t offset_in_block(std::int32_t index) const { return part_of(index).offset(index % per_block_); }
  std::int64_t longest() const { return longest_; }
  /// Whether all chunks are equally long.
  bool are_equal() const;

 private:
  int turned(int rank, int by) const { return (rank + by + ranks_) % ranks_; }
  int block_of(std::int32_t index) const { return called_rank(index / per_block_); }
  BlockPartition part_of(std::int32_t index) const {
    return has_blocks_ ? BlockPartition(blocks_.size(block_of(index)), per_block_) : whole_;
  }
  std::int64_t block_offset(std::int32_t index) const { return has_blocks_ ? blocks_.offset(block_of(index)) : 0; }

  int ranks_;
  int turn_;
  bool has_blocks_;
  std::int32_t per_block_;  ///< chunks
  BlockPartition whole_;
  BlockPartition blocks_;
  std::int64_t longest_;
};

}  // namespace heddle
