// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Bruck's reduce-scatter with `ports` messages at once in a dimension. bruck.cpp tells how. Blocks, of any sizes. `op` must be
/// commutative.
void bruck(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int ports);

}  // namespace heddle::reduce_scatter
