// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

/// Any p, blocks of any sizes. Time and bytes: see pairwise.cpp.
void pairwise(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
              const BlockPartition& received);

}  // namespace heddle::alltoall
