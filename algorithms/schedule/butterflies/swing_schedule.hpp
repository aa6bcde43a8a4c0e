// SPDX-License-Identifier: Apache-2.0
// Swing's two schedules over a lattice: of blocks (bandwidth-optimal) and of whole vectors (latency-optimal). Pure.
#pragma once

#include "algorithms/schedule/blocks/block_schedule.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/butterflies/vector_schedule.hpp"
#include "algorithms/schedule/grids/lattice.hpp"

namespace heddle::schedule {

/// The reduce-scatter of one port, the same value on every rank: Σ swing_steps(sizes) steps.
BlockSchedule swing_block_schedule(const Lattice& lattice, SwingPort port,
                                   BlockSchedule::Layout layout = BlockSchedule::Layout::compact);

/// What one rank does with whole vectors. Dimensions of sizes for which `leaves_out` holds are nobody's turn.
VectorSchedule swing_vector_schedule(const Lattice& lattice, SwingPort port, Rank rank, bool (*leaves_out)(int size) = nullptr);

}  // namespace heddle::schedule
