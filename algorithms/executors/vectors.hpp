// SPDX-License-Identifier: Apache-2.0
// Whole vectors exchanged with one partner after another over a lattice: what Swing (latency-optimal) and recursive doubling
// on a torus have in common. All but the exchange itself is pure.
//
// The steps take turns over the dimensions. In one whose size is no power of two, neighbours fold before the first step and
// unfold after the last (executors/lattice.hpp), and the positions that remain exchange. Source: Swing (De Sensi et
// al.) §2.3.2, §4.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/executors/lattice.hpp"

namespace heddle::plans {

/// What one rank does.
struct VectorPlan {
  std::vector<FoldPart> folds;  ///< one per dimension; up to and with that in which it is an extra rank
  std::vector<Rank> partners;   ///< step by step between the folds and their reverse; none for an extra rank
  std::vector<bool> is_upper;   ///< step by step, whether this rank's position is the higher of the two
};

/// The position with which `position` of `positions`, a power of two, exchanges in a step of its dimension. Its own inverse.
using PositionPartner = std::function<int(int position, int step, int positions)>;

/// Recursive doubling: the position at distance 2^step whose number differs in one bit. Mirrored, positions are counted the
/// other way round from position 0 on, so that pairs stand over the links that plain ones leave free.
int doubling_partner(int position, int step, int positions, bool mirrored);

/// `first_dimension` has the first turn. Dimensions of sizes for which `leaves_out` holds are nobody's turn.
VectorPlan vector_plan(const Lattice& lattice, int first_dimension, Rank rank, const PositionPartner& partner,
                       bool (*leaves_out)(int size) = nullptr);

/// Blocks. One rank's allreduce by a plan: folds, exchanges whole vectors, adds, unfolds. `op` must be commutative.
void exchange_vectors(Communicator& comm, const VectorPlan& mine, VectorView vector, const ReduceOp& op);

}  // namespace heddle::plans
