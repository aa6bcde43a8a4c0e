// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// Any p, blocks of any sizes. `aggregation` is the most blocks that a message may carry; the largest power of two not above it
/// counts. Time and bytes: see pat.cpp.
void pat(Communicator& comm, VectorView vector, const BlockPartition& blocks, int aggregation);

}  // namespace heddle::allgather
