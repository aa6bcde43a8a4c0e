// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/ports.hpp"

#include "core/block_partition.hpp"

namespace heddle::schedule {

void on_ports(Communicator& comm, int ports, VectorView inout,
              const std::function<void(int port, Communicator&, VectorView slice)>& collective) {
  const BlockPartition slices(inout.count(), ports);
  comm.concurrently(ports, [&](int port, Communicator& task) {
    const VectorView slice = slices.block(inout, port);
    if (!slice.empty()) collective(port, task, slice);
  });
}

}  // namespace heddle::schedule
