// SPDX-License-Identifier: Apache-2.0
// How a multi-port algorithm drives its ports: one independent collective per port, each on its slice of the vector.
#pragma once

#include <functional>

#include "core/communicator.hpp"

namespace heddle::schedule {

/// Runs `collective` for each port at once, as tasks of this rank, on slices as even as they go. An empty slice sends
/// nothing: it is empty on every rank.
void on_ports(Communicator& comm, int ports, VectorView inout,
              const std::function<void(int port, Communicator&, VectorView slice)>& collective);

}  // namespace heddle::schedule
