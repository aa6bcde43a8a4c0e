// SPDX-License-Identifier: Apache-2.0
#include "schedules/run/chunk_geometry.hpp"

#include <algorithm>

namespace heddle {

ChunkGeometry::ChunkGeometry(const ScheduleProgram& program, std::int64_t count, const BlockPartition& blocks, int root)
    : ranks_(std::max(1, program.size())),
      turn_(has_root(program.collective) ? (root - program.root + ranks_) % ranks_ : 0),
      has_blocks_(heddle::has_blocks(program.collective)),
      per_block_(program.chunks_of_block()),
      whole_(count, program.chunks),
      blocks_(blocks),
      longest_(has_blocks_ ? BlockPartition(blocks.longest(), per_block_).longest() : whole_.longest()) {}

bool ChunkGeometry::are_equal() const {
  return has_blocks_ ? blocks_.all_equal() && blocks_.longest() % per_block_ == 0 : whole_.all_equal();
}

}  // namespace heddle
