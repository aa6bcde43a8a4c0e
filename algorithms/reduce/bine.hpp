// SPDX-License-Identifier: Apache-2.0
// Reduce along Bine trees. The stories are in bine.cpp and bine_reduce_scatter_gather.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::reduce {

/// These throw UsageError for an op that is not commutative.
void bine_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void bine_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void bine_reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

}  // namespace heddle::reduce
