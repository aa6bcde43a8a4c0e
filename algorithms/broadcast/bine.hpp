// SPDX-License-Identifier: Apache-2.0
// Broadcast along Bine trees. The stories are in bine.cpp and bine_scatter_allgather.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::broadcast {

void bine_halving(Communicator& comm, VectorView vector, Rank root);
void bine_doubling(Communicator& comm, VectorView vector, Rank root);
void bine_scatter_allgather(Communicator& comm, VectorView vector, Rank root);

}  // namespace heddle::broadcast
