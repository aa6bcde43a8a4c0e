// SPDX-License-Identifier: Apache-2.0
// An allreduce on a circulant graph, in 2⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "algorithms/schedule/circulant_skips.hpp"
#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative, unless the skips are linear, and for skips that do not reach
/// every rank.
void circulant(Communicator& comm, VectorView inout, const ReduceOp& op,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

}  // namespace heddle::allreduce
