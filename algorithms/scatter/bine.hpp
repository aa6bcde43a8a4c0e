// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::scatter {

/// Blocks of any sizes along a Bine tree; see bine.cpp.
void bine(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

}  // namespace heddle::scatter
