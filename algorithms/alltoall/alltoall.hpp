// SPDX-License-Identifier: Apache-2.0
// Alltoalls that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

/// Any p, blocks of any sizes. Time and bytes: see linear.cpp.
void linear(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
            const BlockPartition& received);

/// Any p, blocks of any sizes. Time and bytes: see pairwise.cpp.
void pairwise(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
              const BlockPartition& received);

// As AlltoallFunction. Throw UsageError unless all blocks have the same size.

/// Round the ring of ranks.
void ring_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                const BlockPartition& received);
/// Over all dimensions of the grid at once.
void torus_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                 const BlockPartition& received);
/// Over one dimension of the grid after the other.
void torus_decomposed(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                      const BlockPartition& received);

/// Any p; blocks of equal size, else UsageError. Time and bytes: see bruck.cpp.
void bruck(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
           const BlockPartition& received);

/// Along a Bine butterfly; see bine.cpp. Throws UsageError unless all blocks have the same size.
void bine(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
          const BlockPartition& received);

/// Throws UsageError unless all blocks have one size.
void circulant(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
               const BlockPartition& received);

/// Blocks until every block is where it belongs. Any number of ranks in any nested tiers, of which the innermost most_levels -
/// 1 count, blocks of any size. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                  const BlockPartition& received, int most_levels);

}  // namespace heddle::alltoall
