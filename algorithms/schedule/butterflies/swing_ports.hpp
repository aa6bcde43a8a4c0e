// SPDX-License-Identifier: Apache-2.0
// Swing's blocks through all ports at once, each block where rank order has it.
#pragma once

#include <functional>

#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// Runs `collective` for each of the 2D ports (two where there is no grid) as tasks of this rank, on a piece of every block.
void on_swing_ports(Communicator& comm, VectorView vector, const BlockPartition& blocks,
                    const std::function<void(BlockExchange&)>& collective);

}  // namespace heddle::schedule
