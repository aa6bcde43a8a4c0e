// SPDX-License-Identifier: Apache-2.0
// A reduce-scatter on a circulant graph, in ⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "algorithms/schedule/circulant_skips.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Afterwards this rank's block of `inout` is the result; the rest is undefined. Throws UsageError for an op that is not
/// commutative, unless the skips are linear, and for skips that do not reach every rank.
void circulant(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

}  // namespace heddle::reduce_scatter
