// SPDX-License-Identifier: Apache-2.0
// Reduce along binomial trees. The story is in binomial.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::reduce {

/// In place; elsewhere than at the root the vector is undefined afterwards. `op` must be commutative.
void binomial_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void binomial_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

}  // namespace heddle::reduce
