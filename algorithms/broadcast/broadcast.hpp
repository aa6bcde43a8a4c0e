// SPDX-License-Identifier: Apache-2.0
// Broadcasts that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include <cstdint>

#include "algorithms/schedule/trees/grid_tree.hpp"
#include "algorithms/schedule/trees/segments.hpp"
#include "core/communicator.hpp"

namespace heddle {
class HierarchicalPhases;
}

namespace heddle::broadcast {

void chain(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments, int channels = 1);
void binomial_pipelined(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments);
void double_binary_tree(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments, int channels = 1);

void binomial_halving(Communicator& comm, VectorView vector, Rank root);
void binomial_doubling(Communicator& comm, VectorView vector, Rank root);

enum class Gathering : std::uint8_t { ring, doubling };

void scatter_allgather(Communicator& comm, VectorView vector, Rank root, Gathering gathering);

/// As BroadcastFunction.
void torus_ring(Communicator& comm, VectorView vector, Rank root, schedule::LineWays ways, schedule::Segments segments);

void bine_halving(Communicator& comm, VectorView vector, Rank root);
void bine_doubling(Communicator& comm, VectorView vector, Rank root);
void bine_scatter_allgather(Communicator& comm, VectorView vector, Rank root);

/// From the root's vector to everyone's.
void circulant(Communicator& comm, VectorView vector, Rank root);

/// Blocks until `vector` is the root's. Any number of ranks in any nested tiers. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView vector, Rank root, const HierarchicalPhases& phases);

}  // namespace heddle::broadcast
