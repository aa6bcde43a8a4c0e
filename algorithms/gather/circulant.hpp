// SPDX-License-Identifier: Apache-2.0
// A gather along a circulant tree, in at most ⌊log2 p⌋ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::gather {

/// `whole` is empty but at the root; there `own` may be its place in `whole`.
void circulant(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root);

}  // namespace heddle::gather
