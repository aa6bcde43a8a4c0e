// SPDX-License-Identifier: Apache-2.0
// Allreduce of the whole vector in the fewest rounds. The story is in recursive_doubling.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Keeps rank order.
void recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
