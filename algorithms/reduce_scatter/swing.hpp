// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Any p, blocks of any sizes, a piece of each through every port (2D, two where there is no grid); `op` must be commutative,
/// else UsageError. Time and bytes: see swing.cpp.
void swing(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
