// SPDX-License-Identifier: Apache-2.0
// Reduces that can be called directly, without the registry. The story of each is in its own file: the idea, a picture, rounds,
// bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows of the
// registry.
#pragma once

#include "algorithms/schedule/trees/grid_tree.hpp"
#include "algorithms/schedule/trees/segments.hpp"
#include "core/communicator.hpp"

namespace heddle {
class HierarchicalPhases;
}

namespace heddle::reduce {

/// In place; elsewhere than at the root the vector is undefined afterwards. `op` must be commutative.
void chain(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments, int channels = 1);
void binomial_pipelined(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments);
void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments,
                        int channels = 1);

/// In place; elsewhere than at the root the vector is undefined afterwards. `op` must be commutative.
void binomial_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void binomial_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

/// In place; elsewhere than at the root the vector is undefined afterwards. Keeps rank order.
void reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

/// As ReduceFunction. Throws UsageError for an op that is not commutative.
void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::LineWays ways,
                schedule::Segments segments);

/// These throw UsageError for an op that is not commutative.
void bine_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void bine_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);
void bine_reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

/// Afterwards the root's vector is the result; the others' are undefined. Throws UsageError for an op that is not commutative.
void circulant(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

/// Blocks until the root's `inout` holds the result; the others' are undefined. Any number of ranks in any nested tiers; `op`
/// must be commutative, else throws UsageError. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, const HierarchicalPhases& phases);

}  // namespace heddle::reduce
