// SPDX-License-Identifier: Apache-2.0
// Bine butterflies: the block schedules of reduce-scatters and allgathers. Pure.
//
// A butterfly is one Bine tree per root, all at once: in step i even ranks exchange with the rank Σ_{j≤i} (-2)^j further, odd
// ones with that as far back: distances 1, 1, 3, 5, 11, … in a reduce-scatter of doubling distances, the same from the last to
// the first if they halve. On a grid the steps take turns over the dimensions. Partners are Swing's; what is Bine's is where
// blocks lie and how its ports turn.
//
// Sizes. Even ones that are no power of two: a block that could go in two steps goes in the later one, so that the subtree that
// an allgather would reach a second time is left out. Odd ones: neighbours fold into 2^⌊log2 d⌋ positions
// (schedule/butterflies/fold.hpp), as two more steps of blocks: an extra rank first sends its partner all sums but that of its
// own block, and gets what its block lacks in the last step. So every rank sends p - 1 blocks of a reduce-scatter for any p; in
// an allgather partners send more.
//
// Layouts (p = 8): blocks by position, so that a message is one run.
//
//   by ways       0 3 7 4 1 6 2 5     v(block), its bits reversed: step 0 sends a half, 1 6 2 5 from rank 0
//   rank order    0 1 2 3 4 5 6 7     runs round the circle if distances halve: 2 3 4 5 from rank 0
//
// Source: Bine (De Sensi et al.) §3.1 (butterflies), §4.3 and Fig. 8 (layouts), App. C (other p), App. D (tori, ports).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "algorithms/schedule/bine/bine_tree.hpp"
#include "algorithms/schedule/blocks/block_schedule.hpp"
#include "algorithms/schedule/blocks/paper_round.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/grids/lattice.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::schedule {

/// One of the 2D collectives on a torus. Its steps take the directions +0 … +(D-1), -0 … -(D-1) in turn (in 2D: east, north,
/// west, south) and begin with that of its number, so that in each step every port takes another.
struct BinePort {
  int first_dimension = 0;
  std::vector<Swing> swings = {Swing::plain};  ///< by dimension
};
BinePort bine_port(int port, int dimensions);

/// Distances doubling, blocks laid out so that messages are few runs: for an allreduce. Odd dimensions fold.
BlockSchedule bine_block_schedule(const Lattice& lattice, const BinePort& port);
/// The same over a circle of ranks.
BlockSchedule bine_block_schedule(int ranks);
/// Distances halving, blocks in rank order; odd `ranks` fold.
BlockSchedule bine_halving_schedule(int ranks);
/// Distances doubling, blocks by ways; what is no power of two folds, partner and extra rank side by side. Every message is one
/// run but an extra rank's first, which leaves out its own block.
BlockSchedule bine_by_ways_schedule(int ranks);

/// Steps of such a reduce-scatter over a dimension: ⌈log2 size⌉, or ⌊log2 size⌋ + 2 where it folds.
int bine_block_steps(int size);
int bine_by_ways_steps(int ranks);

/// How many blocks each rank receives in a reduce-scatter: what it sends in the allgather.
std::vector<std::int64_t> blocks_received(const BlockSchedule& schedule);

/// A doubling tree for vectors that `schedule` lays out, its ranks counted from `root` on.
BlockTree bine_block_tree(const BlockSchedule& schedule, int root);

/// The paper's rounds: what bine_block_schedule (distances doubling) and bine_halving_schedule send; tests compare them.
namespace paper {

/// The partner of r in step i of a butterfly: (1 - (-2)^t)/3 further where r is even, as far back where it is odd, modulo p;
/// t = s - i where distances halve, i + 1 where they double; s = ⌈log2 p⌉. Even p. Bine §3.1, eq. 4; App. A, eq. 5; App. C.
inline int bine_partner(int r, int i, int p, Distances distances) {
  const int t = distances == Distances::halving ? bine_tree_steps(p) - i : i + 1;
  int power = 1;
  for (int k = 0; k < t; ++k) power *= -2;
  const int distance = (1 - power) / 3;
  return ((r % 2 == 0 ? r + distance : r - distance) % p + p) % p;
}

/// Step i of the reduce-scatter: r sends its partner q the blocks of all below q in the tree of root r, which is that of root 0
/// turned by r, and mirrored where r is odd. Those are the ranks whose codes begin with the i + 1 digits 0…01 where distances
/// halve (§2.3.3), those whose v ends with 10…0 where they double (§3.2.3). p = 2^s. Bine §4.3. For other even p App. C has the
/// subtree left out that is reached later, in words only; for odd ones, ranks that fold.
inline Round bine_round(int r, int i, int p, Distances distances) {
  const int s = bine_tree_steps(p);
  std::set<int> blocks;
  for (int block = 0; block < p; ++block) {
    const int place = ((r % 2 == 0 ? block - r : r - block) + p) % p;
    const bool is_below =
        distances == Distances::halving ? rank2nb(place, p) >> (s - i - 1) == 1 : bine_v(place, p) % (2U << i) == 1U << i;
    if (is_below) blocks.insert(block);
  }
  return {{bine_partner(r, i, p, distances), blocks}};
}

}  // namespace paper

}  // namespace heddle::schedule
