// SPDX-License-Identifier: Apache-2.0
// Scatters that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::scatter {

/// `whole` is empty but at the root. Blocks of any sizes.
void linear(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

/// `whole` is empty but at the root. Blocks of any sizes.
void binomial(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

/// Blocks of any sizes along a Bine tree; see bine.cpp.
void bine(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

/// `whole` is empty but at the root; there `own` may be its place in `whole`.
void circulant(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root);

}  // namespace heddle::scatter
