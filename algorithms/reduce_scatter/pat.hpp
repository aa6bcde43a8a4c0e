// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Any p, blocks of any sizes; `op` must be commutative, else UsageError. `aggregation` is the most blocks that a message may
/// carry; the largest power of two not above it counts. Time and bytes: see pat.cpp.
void pat(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int aggregation);

}  // namespace heddle::reduce_scatter
