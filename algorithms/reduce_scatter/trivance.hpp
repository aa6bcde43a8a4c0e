// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Trivance's reduce-scatter, ⌈log3 d⌉ rounds in each dimension of size d. trivance.cpp tells how. Blocks, of any sizes. `op`
/// must be commutative.
void trivance(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
