// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// Any p, blocks of any sizes; made for an even p. Time and bytes: see neighbor_exchange.cpp.
void neighbor_exchange(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
