// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Swing, as pure functions.
//
// In step s an even coordinate goes ρ(s) = Σ_{i≤s} (-2)^i further, an odd one ρ(s) back: 1, -1, 3, -5, 11, … Everyone swings
// from one side to the other and reaches further each time, over links that recursive doubling would need twice as far. In D
// dimensions the steps take turns over the dimensions; one whose steps are done is left out. Source: Swing (De Sensi et al.)
// §3.1.1 eq. 2 (ρ, π, δ), §3.2 and App. A.2 (sizes that are no power of two), §4.1-4.2 (dimensions).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

class WindowPlan;
struct VectorPlan;

/// Which way even coordinates swing first. Mirrored collectives use the links that plain ones leave free.
enum class Swing : std::uint8_t { plain, mirrored };

/// ρ(s) = (1 - (-2)^(s+1)) / 3.
constexpr std::int64_t swing_rho(int step) {
  const std::int64_t power = std::int64_t{1} << (step + 1);
  return (1 - ((step + 1) % 2 == 0 ? power : -power)) / 3;
}

/// δ(s) = |ρ(s)| = (2^(s+1) - (-1)^(s+1)) / 3.
constexpr std::int64_t swing_distance(int step) { return swing_rho(step) < 0 ? -swing_rho(step) : swing_rho(step); }

/// The partner function, eq. 2: π(r, s) = r + ρ(s) for even r, r - ρ(s) for odd r, modulo an even `size`; mirrored, the other
/// way round. Its own inverse. All that runs follows from it.
int swing_partner(int coordinate, int step, int size, Swing swing);

/// Steps until everyone has reached everyone: ⌈log2 size⌉; for odd sizes those of size - 1; none for size 1.
int swing_steps(int size);

/// Odd sizes: the last coordinate, n = size - 1, takes no part in the pattern. In step s it exchanges directly with its share
/// of the others: half of those left, rounded up; in the last step all that are left. Together the shares are 0 … n-1.
struct DirectShare {
  int first;
  int count;
};
DirectShare swing_direct_share(int step, int size);
/// The step in which `coordinate` < size - 1 is in the share.
int swing_direct_step(int coordinate, int size);

/// Whole vectors on an even number of coordinates, in swing_steps(size) steps with Swing's partners. As even coordinates count
/// forwards and odd ones backwards, each step adds the partner's window, which lies beside: [0, 1], [-2, 1], [-2, 5], …. Where
/// size is no power of two, the last step wants only as many places of it as are missing, the near end. Their sum is kept
/// beside that of the whole window from the start, and goes along in a step in which it lies inside the partner's part: never
/// in the first two and the last.
WindowPlan swing_windows(int size);

/// Sizes that swing_windows is for: of a power of two all windows are wanted whole, and odd sizes fold.
constexpr bool swings_by_windows(int size) { return size % 2 == 0 && !std::has_single_bit(static_cast<unsigned>(size)); }

/// The 2D collectives of a multi-port Swing: D plain ones, each starting in another dimension, then D mirrored ones.
struct SwingPort {
  int first_dimension;
  Swing swing;
};
constexpr SwingPort swing_port(int port, int dimensions) {
  return {port % dimensions, port < dimensions ? Swing::plain : Swing::mirrored};
}

// Swing's two plans over a lattice: of blocks (bandwidth-optimal) and of whole vectors (latency-optimal). Pure.

/// The reduce-scatter of one port, the same value on every rank: Σ swing_steps(sizes) steps.
BlockPlan swing_block_plan(const Lattice& lattice, SwingPort port, BlockPlan::Layout layout = BlockPlan::Layout::compact);

/// What one rank does with whole vectors. Dimensions of sizes for which `leaves_out` holds are nobody's turn.
VectorPlan swing_vector_plan(const Lattice& lattice, SwingPort port, Rank rank, bool (*leaves_out)(int size) = nullptr);

/// Blocks. An allreduce of whole vectors through one port. `op` must be commutative.
void swing_vectors(Communicator& comm, const Lattice& lattice, SwingPort port, VectorView vector, const ReduceOp& op);
/// Its rounds, and how many vectors one rank sends at most, in a dimension.
int swing_vector_rounds(int size);
int swing_vectors_sent(int size);

}  // namespace heddle::plans
