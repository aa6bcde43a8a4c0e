// SPDX-License-Identifier: Apache-2.0
// Gather, binomial. The story is in binomial.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::gather {

/// `whole` is empty but at the root. Blocks of any sizes.
void binomial(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root);

}  // namespace heddle::gather
