// SPDX-License-Identifier: Apache-2.0
// Reduce in segments that follow each other through a chain or a tree. The stories are in chain.cpp, binomial_pipelined.cpp and
// double_binary_tree.cpp.
#pragma once

#include "algorithms/schedule/segments.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce {

/// In place; elsewhere than at the root the vector is undefined afterwards. `op` must be commutative.
void chain(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments);
void binomial_pipelined(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments);
void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments);

}  // namespace heddle::reduce
