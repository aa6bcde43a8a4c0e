// SPDX-License-Identifier: Apache-2.0
// Collectives of blocks by skip schedules on a lattice: one per dimension at once, each on its part of the vector, each
// starting in another dimension, so that equal dimensions never serve two. What Trivance and Bruck share.
#pragma once

#include "algorithms/schedule/windows/lattice_skip_schedule.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

// Blocks. Arguments as in signatures.hpp; `op` must be commutative. The vector is not empty.

void allreduce_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const ReduceOp& op);
void reduce_scatter_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const BlockPartition& blocks,
                             const ReduceOp& op);
void allgather_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::schedule
