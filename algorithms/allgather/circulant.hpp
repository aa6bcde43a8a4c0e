// SPDX-License-Identifier: Apache-2.0
// An allgather on a circulant graph, in ⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "algorithms/schedule/circulant_skips.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::allgather {

/// From this rank's own block of `vector` to all of it. Throws UsageError for skips that do not reach every rank.
void circulant(Communicator& comm, VectorView vector, const BlockPartition& blocks,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

}  // namespace heddle::allgather
