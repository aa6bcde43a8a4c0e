// SPDX-License-Identifier: Apache-2.0
// Allreduce along Bine butterflies. The story is in bine.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place, whole vectors over a circle of ranks. Throws UsageError for an op that is not commutative.
void bine_small(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks over a circle of ranks. Throws UsageError for an op that is not commutative.
void bine_large(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks of a slice through each of the 2D ports of a grid. Throws UsageError for an op that is not commutative, or
/// where there is no grid.
void bine_torus(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
