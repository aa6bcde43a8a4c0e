// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// Any p, blocks of any sizes, a piece of each through every port (2D, two where there is no grid). Time and bytes: see
/// swing.cpp.
void swing(Communicator& comm, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::allgather
