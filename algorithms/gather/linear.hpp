// SPDX-License-Identifier: Apache-2.0
// Gather, linear. The story is in linear.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::gather {

/// `whole` is empty but at the root. Blocks of any sizes.
void linear(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root);

}  // namespace heddle::gather
