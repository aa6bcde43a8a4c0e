// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// Bruck's algorithm on whole vectors with `ports` messages at once in a dimension: ⌈log_{ports+1} d⌉ rounds in each of size d.
/// bruck_latency.cpp tells how. Blocks. `op` must be commutative.
void bruck_latency(Communicator& comm, VectorView inout, const ReduceOp& op, int ports);

/// Bruck's algorithm on blocks: reduce-scatter, then allgather, in twice as many rounds. bruck_bandwidth.cpp tells how. Blocks.
/// `op` must be commutative.
void bruck_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op, int ports);

}  // namespace heddle::allreduce
