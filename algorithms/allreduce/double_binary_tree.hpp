// SPDX-License-Identifier: Apache-2.0
// Allreduce along two binary trees at once. The story is in double_binary_tree.cpp.
#pragma once

#include "algorithms/schedule/segments.hpp"
#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Keeps rank order. `segments` of each half.
void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, schedule::Segments segments);

}  // namespace heddle::allreduce
