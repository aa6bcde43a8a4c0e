// SPDX-License-Identifier: Apache-2.0
// Allreduce by recursive halving and doubling over the dimensions of a grid. The story is in torus_rabenseifner.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative.
void torus_rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
