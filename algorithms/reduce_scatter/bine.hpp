// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter along Bine butterflies, with four ways to handle blocks that do not lie side by side. The story is in
// bine.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// These take blocks of any sizes and throw UsageError for an op that is not commutative.
void bine_block_by_block(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_permute(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_send(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_two_transmissions(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
