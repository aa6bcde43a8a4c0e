// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// Trivance's allgather, ⌈log3 d⌉ rounds in each dimension of size d. trivance.cpp tells how. Blocks, of any sizes.
void trivance(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
