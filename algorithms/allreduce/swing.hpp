// SPDX-License-Identifier: Apache-2.0
// Allreduce along Swing's short cuts. The stories are in swing_bandwidth.cpp and swing_latency.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place, the whole vector through one port. Throws UsageError for an op that is not commutative.
void swing_latency(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, a slice through each of the 2D ports. Throws UsageError for an op that is not commutative, or where there is no
/// grid.
void swing_latency_multiport(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks of a slice through each of the 2D ports (two where there is no grid). Throws UsageError for an op that is
/// not commutative.
void swing_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
