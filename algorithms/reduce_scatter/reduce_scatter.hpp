// SPDX-License-Identifier: Apache-2.0
// Reduce-scatters that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "algorithms/schedule/skips/circulant_skips.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle {
class HierarchicalPhases;
}

namespace heddle::reduce_scatter {

/// Any p, blocks of any sizes, channels ≥ 1; `op` must be commutative, else UsageError. Time and bytes: see ring.cpp.
void ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int channels = 1);

/// Any p, blocks of any sizes, any op: keeps rank order. Time and bytes: see pairwise.cpp.
void pairwise(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Any p, blocks of any sizes; `op` must be commutative, else UsageError. Time and bytes: see recursive_halving.cpp.
void recursive_halving(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Any p, blocks of any sizes; `op` must be commutative, else UsageError. `aggregation` is the most blocks that a message may
/// carry; the largest power of two not above it counts. Time and bytes: see pat.cpp.
void pat(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int aggregation);

/// As ReduceScatterFunction. Throws UsageError for an op that is not commutative.
void torus_ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Any p, blocks of any sizes, a piece of each through every port (2D, two where there is no grid); `op` must be commutative,
/// else UsageError. Time and bytes: see swing.cpp.
void swing(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Trivance's reduce-scatter, ⌈log3 d⌉ rounds in each dimension of size d. How: trivance.cpp. Blocks, of any sizes. `op`
/// must be commutative.
void trivance(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Bruck's reduce-scatter with `ports` messages at once in a dimension. How: bruck.cpp. Blocks, of any sizes. `op` must be
/// commutative.
void bruck(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int ports);

/// These take blocks of any sizes and throw UsageError for an op that is not commutative.
void bine_block_by_block(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_permute(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_send(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);
void bine_two_transmissions(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

/// Afterwards this rank's block of `inout` is the result; the rest is undefined. Throws UsageError for an op that is not
/// commutative, unless the skips are linear, and for skips that do not reach every rank.
void circulant(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

/// Blocks until the rank's own block of `inout` is the result; the rest is undefined. Any number of ranks in any nested tiers,
/// blocks of any size; `op` must be commutative, else throws UsageError. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
                  const HierarchicalPhases& phases);

}  // namespace heddle::reduce_scatter
