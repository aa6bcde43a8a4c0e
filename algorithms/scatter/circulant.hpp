// SPDX-License-Identifier: Apache-2.0
// A scatter along a circulant tree, in ⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::scatter {

/// `whole` is empty but at the root; there `own` may be its place in `whole`.
void circulant(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

}  // namespace heddle::scatter
