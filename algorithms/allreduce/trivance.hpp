// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/communicator.hpp"

namespace heddle::allreduce {

/// Trivance on whole vectors: ⌈log3 d⌉ rounds in each dimension of size d, for short vectors. trivance_latency.cpp tells how.
/// Blocks. `op` must be commutative.
void trivance_latency(Communicator& comm, VectorView inout, const ReduceOp& op);

/// Trivance on blocks: reduce-scatter, then allgather, in twice as many rounds. trivance_bandwidth.cpp tells how. Blocks. `op`
/// must be commutative.
void trivance_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
