// SPDX-License-Identifier: Apache-2.0
// Broadcast as a scatter and an allgather. The story is in scatter_allgather.cpp.
#pragma once

#include <cstdint>

#include "core/communicator.hpp"

namespace heddle::broadcast {

enum class Gathering : std::uint8_t { ring, doubling };

void scatter_allgather(Communicator& comm, VectorView vector, Rank root, Gathering gathering);

}  // namespace heddle::broadcast
