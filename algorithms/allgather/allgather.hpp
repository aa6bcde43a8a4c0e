// SPDX-License-Identifier: Apache-2.0
// Allgathers that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "algorithms/schedule/skips/circulant_skips.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle {
class HierarchicalPhases;
}

namespace heddle::allgather {

/// Any p, blocks of any sizes, channels ≥ 1. Time and bytes: see ring.cpp.
void ring(Communicator& comm, VectorView vector, const BlockPartition& blocks, int channels = 1);

/// Any p, blocks of any sizes. Time and bytes: see pairwise.cpp.
void pairwise(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Any p, blocks of any sizes. Time and bytes: see recursive_doubling.cpp.
void recursive_doubling(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Any p, blocks of any sizes. `aggregation` is the most blocks that a message may carry; the largest power of two not above it
/// counts. Time and bytes: see pat.cpp.
void pat(Communicator& comm, VectorView vector, const BlockPartition& blocks, int aggregation);

/// As AllgatherFunction.
void torus_ring(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Any p, blocks of any sizes, a piece of each through every port (2D, two where there is no grid). Time and bytes: see
/// swing.cpp.
void swing(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Trivance's allgather, ⌈log3 d⌉ rounds in each dimension of size d. How: trivance.cpp. Blocks, of any sizes.
void trivance(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// These take blocks of any sizes.
void bine_block_by_block(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_permute(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_send(Communicator& comm, VectorView vector, const BlockPartition& blocks);
void bine_two_transmissions(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// From this rank's own block of `vector` to all of it. Throws UsageError for skips that do not reach every rank.
void circulant(Communicator& comm, VectorView vector, const BlockPartition& blocks,
               const schedule::CirculantSkips& skips = schedule::CirculantSkips());

/// Any p, blocks of any sizes. Time and bytes: see bruck.cpp.
void bruck(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Any p, blocks of any sizes; made for an even p. Time and bytes: see neighbor_exchange.cpp.
void neighbor_exchange(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Any p, blocks of any sizes. Time and bytes: see sparbit.cpp.
void sparbit(Communicator& comm, VectorView vector, const BlockPartition& blocks);

/// Blocks until all of `vector` is there. Any number of ranks in any nested tiers, blocks of any size. Idea, picture and
/// source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView vector, const BlockPartition& blocks, const HierarchicalPhases& phases);

}  // namespace heddle::allgather
