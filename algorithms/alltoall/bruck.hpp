// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

/// Any p; blocks of equal size, else UsageError. Time and bytes: see bruck.cpp.
void bruck(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
           const BlockPartition& received);

}  // namespace heddle::alltoall
