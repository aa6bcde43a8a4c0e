// SPDX-License-Identifier: Apache-2.0
// Allreduce by recursive doubling over the dimensions of a grid. The story is in torus_recursive_doubling.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place, the whole vector through one port. Throws UsageError for an op that is not commutative.
void torus_recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, a slice through each of the 2D ports. Throws UsageError for an op that is not commutative, or where there is no
/// grid.
void torus_recursive_doubling_multiport(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
