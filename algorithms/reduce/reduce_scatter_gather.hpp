// SPDX-License-Identifier: Apache-2.0
// Reduce as a reduce-scatter and a gather. The story is in reduce_scatter_gather.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::reduce {

/// In place; elsewhere than at the root the vector is undefined afterwards. Keeps rank order.
void reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

}  // namespace heddle::reduce
