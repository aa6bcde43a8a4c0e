// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Any p, blocks of any sizes; `op` must be commutative, else UsageError. Time and bytes: see ring.cpp.
void ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
