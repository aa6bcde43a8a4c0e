// SPDX-License-Identifier: Apache-2.0
// Alltoall from neighbour to neighbour. The stories are in ring_relay.cpp, torus_relay.cpp and torus_decomposed.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

// As AlltoallFunction. Throw UsageError unless all blocks have the same size.

/// Round the ring of ranks.
void ring_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                const BlockPartition& received);
/// Over all dimensions of the grid at once.
void torus_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                 const BlockPartition& received);
/// Over one dimension of the grid after the other.
void torus_decomposed(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                      const BlockPartition& received);

}  // namespace heddle::alltoall
