// SPDX-License-Identifier: Apache-2.0
// Swing's two schedules over a lattice: of blocks (bandwidth-optimal) and of whole vectors (latency-optimal). Pure.
#pragma once

#include <vector>

#include "algorithms/schedule/block_schedule.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/schedule/lattice.hpp"
#include "algorithms/schedule/swing_pattern.hpp"

namespace heddle::schedule {

/// The reduce-scatter of one port, the same value on every rank: Σ swing_steps(sizes) steps.
BlockSchedule swing_block_schedule(const Lattice& lattice, SwingPort port);

/// What one rank does with whole vectors.
struct SwingVectorSchedule {
  std::vector<FoldPart> folds;  ///< one per dimension; up to and with that in which it is a guest
  std::vector<Rank> partners;   ///< step by step between the folds and their reverse; none for a guest
};
SwingVectorSchedule swing_vector_schedule(const Lattice& lattice, SwingPort port, Rank rank);

}  // namespace heddle::schedule
