// SPDX-License-Identifier: Apache-2.0
// Allreduce by rings along one dimension of a grid after the other, through one port. The story is in torus_ring.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative.
void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
