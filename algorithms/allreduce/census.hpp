// SPDX-License-Identifier: Apache-2.0
// An allreduce of whole vectors in ⌈log2 p⌉ rounds, for any p. The story is in census.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative.
void census(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
