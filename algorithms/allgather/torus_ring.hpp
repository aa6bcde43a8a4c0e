// SPDX-License-Identifier: Apache-2.0
// Allgather by rings along one dimension of a grid after the other. The story is in torus_ring.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// As AllgatherFunction.
void torus_ring(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
