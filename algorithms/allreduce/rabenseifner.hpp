// SPDX-License-Identifier: Apache-2.0
// Allreduce by recursive halving and doubling. The story is in rabenseifner.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Keeps rank order.
void rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
