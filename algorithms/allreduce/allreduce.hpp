// SPDX-License-Identifier: Apache-2.0
// Allreduces that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "algorithms/schedule/skips/circulant_skips.hpp"
#include "algorithms/schedule/trees/segments.hpp"
#include "core/communicator.hpp"

namespace heddle {
class HierarchicalPhases;
}

namespace heddle::allreduce {

/// In place, over so many channels ≥ 1. Throws UsageError for an op that is not commutative.
void ring(Communicator& comm, VectorView inout, const ReduceOp& op, int channels = 1);

/// In place. Throws UsageError for an op that is not commutative.
void ring_bidirectional(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Keeps rank order.
void recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Keeps rank order.
void rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, the whole vector through one port. Throws UsageError for an op that is not commutative.
void swing_latency(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, a slice through each of the 2D ports. Throws UsageError for an op that is not commutative, or where there is no
/// grid.
void swing_latency_multiport(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks of a slice through each of the 2D ports (two where there is no grid). Throws UsageError for an op that is
/// not commutative.
void swing_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Throws UsageError for an op that is not commutative, or where there is no grid.
void bucket(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Keeps rank order.
void reduce_broadcast(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, over so many channels ≥ 1. Keeps rank order with one; with more, throws UsageError for an op that is not commutative.
/// `segments` of each half of a channel's slice.
void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, schedule::Segments segments,
                        int channels = 1);

/// In place. Throws UsageError for an op that is not commutative, or where there is no grid that it can serve.
void hamiltonian_rings(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, the whole vector through one port. Throws UsageError for an op that is not commutative.
void torus_recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, a slice through each of the 2D ports. Throws UsageError for an op that is not commutative, or where there is no
/// grid.
void torus_recursive_doubling_multiport(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Throws UsageError for an op that is not commutative.
void torus_rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Throws UsageError for an op that is not commutative.
void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op);

/// Bruck's algorithm on whole vectors with `ports` messages at once in a dimension: ⌈log_{ports+1} d⌉ rounds in each of size d.
/// How: bruck_latency.cpp. Blocks. `op` must be commutative.
void bruck_latency(Communicator& comm, VectorView inout, const ReduceOp& op, int ports);

/// Bruck's algorithm on blocks: reduce-scatter, then allgather, in twice as many rounds. How: bruck_bandwidth.cpp. Blocks.
/// `op` must be commutative.
void bruck_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op, int ports);

/// Trivance on whole vectors: ⌈log3 d⌉ rounds in each dimension of size d, for short vectors. How: trivance_latency.cpp.
/// Blocks. `op` must be commutative.
void trivance_latency(Communicator& comm, VectorView inout, const ReduceOp& op);

/// Trivance on blocks: reduce-scatter, then allgather, in twice as many rounds. How: trivance_bandwidth.cpp. Blocks. `op`
/// must be commutative.
void trivance_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, whole vectors over a circle of ranks. Throws UsageError for an op that is not commutative.
void bine_small(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks over a circle of ranks. Throws UsageError for an op that is not commutative.
void bine_large(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place, blocks of a slice through each of the 2D ports of a grid. Throws UsageError for an op that is not commutative, or
/// where there is no grid.
void bine_torus(Communicator& comm, VectorView inout, const ReduceOp& op);

/// In place. Throws UsageError for an op that is not commutative, unless the skips are linear, and for skips that do not reach
/// every rank.
void circulant(Communicator& comm, VectorView inout, const ReduceOp& op,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

/// In place. Throws UsageError for an op that is not commutative.
void census(Communicator& comm, VectorView inout, const ReduceOp& op);

/// Blocks until `inout` holds the result. Any number of ranks in any nested tiers; `op` must be commutative, else throws
/// UsageError. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, const HierarchicalPhases& phases);

}  // namespace heddle::allreduce
