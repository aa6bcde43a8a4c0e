// SPDX-License-Identifier: Apache-2.0
// Broadcast along binomial trees. The story is in binomial.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::broadcast {

void binomial_halving(Communicator& comm, VectorView vector, Rank root);
void binomial_doubling(Communicator& comm, VectorView vector, Rank root);

}  // namespace heddle::broadcast
