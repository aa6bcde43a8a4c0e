// SPDX-License-Identifier: Apache-2.0
// Allreduce round a ring: least bytes, most rounds. The story is in ring.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative.
void ring(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
