// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

/// Along a Bine butterfly; see bine.cpp. Throws UsageError unless all blocks have the same size.
void bine(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
          const BlockPartition& received);

}  // namespace heddle::alltoall
