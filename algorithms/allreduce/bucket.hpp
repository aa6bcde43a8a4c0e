// SPDX-License-Identifier: Apache-2.0
// Allreduce by rings along each dimension of a grid, on all ports. The story is in bucket.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative, or where there is no grid.
void bucket(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
