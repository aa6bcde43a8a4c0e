// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by rings along one dimension of a grid after the other. The story is in torus_ring.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// As ReduceScatterFunction. Throws UsageError for an op that is not commutative.
void torus_ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
