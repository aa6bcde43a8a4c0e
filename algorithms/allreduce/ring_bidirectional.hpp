// SPDX-License-Identifier: Apache-2.0
// Allreduce round a ring, both ways at once. The story is in ring_bidirectional.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative.
void ring_bidirectional(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
