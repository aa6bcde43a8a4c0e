// SPDX-License-Identifier: Apache-2.0
// Allgather along Bine butterflies, with four ways to handle blocks that do not lie side by side. The story is in bine.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// These take blocks of any sizes.
void bine_block_by_block(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_permute(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_send(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_two_transmissions(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
