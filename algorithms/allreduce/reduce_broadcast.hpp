// SPDX-License-Identifier: Apache-2.0
// Allreduce as a reduce to rank 0 and a broadcast: the naive baseline. The story is in reduce_broadcast.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Keeps rank order.
void reduce_broadcast(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
