// SPDX-License-Identifier: Apache-2.0
// Broadcast in segments that follow each other through a chain or a tree. The stories are in chain.cpp, binomial_pipelined.cpp
// and double_binary_tree.cpp.
#pragma once

#include "algorithms/schedule/segments.hpp"
#include "core/communicator.hpp"

namespace heddle::broadcast {

void chain(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments);
void binomial_pipelined(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments);
void double_binary_tree(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments);

}  // namespace heddle::broadcast
