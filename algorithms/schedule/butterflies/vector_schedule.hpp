// SPDX-License-Identifier: Apache-2.0
// Whole vectors exchanged with one partner after another over a lattice: what Swing (latency-optimal) and recursive doubling
// on a torus have in common. All but the exchange itself is pure.
//
// The steps take turns over the dimensions. In one whose size is no power of two, neighbours fold before the first step and
// unfold after the last (schedule/butterflies/fold.hpp), and the seats that remain exchange. Source: Swing (De Sensi et al.) §2.3.2, §4.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/grids/lattice.hpp"

namespace heddle::schedule {

/// What one rank does.
struct VectorSchedule {
  std::vector<FoldPart> folds;  ///< one per dimension; up to and with that in which it is a guest
  std::vector<Rank> partners;   ///< step by step between the folds and their reverse; none for a guest
  std::vector<bool> is_upper;   ///< step by step, whether this rank's seat is the higher of the two
};

/// The seat with which `seat` of `seats`, a power of two, exchanges in a step of its dimension. Its own inverse.
using SeatPartner = std::function<int(int seat, int step, int seats)>;

/// Recursive doubling: the seat at distance 2^step whose number differs in one bit. Mirrored, seats are counted the other way
/// round from seat 0 on, so that pairs stand over the links that plain ones leave free.
int doubling_partner(int seat, int step, int seats, bool mirrored);

/// `first_dimension` has the first turn. Dimensions of sizes for which `leaves_out` holds are nobody's turn.
VectorSchedule vector_schedule(const Lattice& lattice, int first_dimension, Rank rank, const SeatPartner& partner,
                               bool (*leaves_out)(int size) = nullptr);

/// Blocks. One rank's allreduce by a schedule: folds, exchanges whole vectors, adds, unfolds. `op` must be commutative.
void exchange_vectors(Communicator& comm, const VectorSchedule& mine, VectorView vector, const ReduceOp& op);

/// The dimensions of a lattice whose size is no power of two.
int folded_dimensions(const std::vector<int>& sizes);

}  // namespace heddle::schedule
