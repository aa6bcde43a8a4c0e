// SPDX-License-Identifier: Apache-2.0
// The same programs where each rank is a process on a real network (docs/real-networks.md).
#pragma once

#include "heddle/workload.hpp"

namespace heddle {

/// Runs the program as this process's rank, over the MPI that started it, or else over TCP as `heddle launch` said. Blocks until it
/// returns. A rank that throws ends all of them, with its explanation on standard error. Throws InputError where neither started it.
void run_on_network(const Program& program);

}  // namespace heddle
