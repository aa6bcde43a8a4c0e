// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/swing_ports.hpp"

#include <string>

#include "algorithms/schedule/butterflies/swing_schedule.hpp"

namespace heddle::schedule {

void on_swing_ports(Communicator& comm, VectorView vector, const BlockPartition& blocks,
                    const std::function<void(BlockExchange&)>& collective) {
  const Lattice lattice(comm.grid(), comm.size());
  const int ports = 2 * lattice.dimensions();
  comm.concurrently(ports, [&](int port, Communicator& task) {
    if (port >= blocks.longest()) return;  // no block has a piece for this port
    const auto steps = task.shared_plan<BlockSchedule>("swing in rank order, port " + std::to_string(port), [&] {
      return swing_block_schedule(lattice, swing_port(port, lattice.dimensions()), BlockSchedule::Layout::rank_order);
    });
    BlockExchange exchange(task, *steps, vector, blocks, {port, ports});
    collective(exchange);
  });
}

}  // namespace heddle::schedule
