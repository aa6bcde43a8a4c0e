// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// Any p, blocks of any sizes. Time and bytes: see sparbit.cpp.
void sparbit(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
