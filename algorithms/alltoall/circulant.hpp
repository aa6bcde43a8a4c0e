// SPDX-License-Identifier: Apache-2.0
// An alltoall on a circulant graph, in ⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

/// Throws UsageError unless all blocks have one size.
void circulant(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
               const BlockPartition& received);

}  // namespace heddle::alltoall
