// SPDX-License-Identifier: Apache-2.0
// Swing's two schedules over a lattice: of blocks (bandwidth-optimal) and of whole vectors (latency-optimal). Pure.
#pragma once

#include <set>

#include "algorithms/schedule/blocks/block_schedule.hpp"
#include "algorithms/schedule/blocks/paper_round.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/butterflies/vector_schedule.hpp"
#include "algorithms/schedule/grids/lattice.hpp"

namespace heddle::schedule {

/// The reduce-scatter of one port, the same value on every rank: Σ swing_steps(sizes) steps.
BlockSchedule swing_block_schedule(const Lattice& lattice, SwingPort port,
                                   BlockSchedule::Layout layout = BlockSchedule::Layout::compact);

/// What one rank does with whole vectors. Dimensions of sizes for which `leaves_out` holds are nobody's turn.
VectorSchedule swing_vector_schedule(const Lattice& lattice, SwingPort port, Rank rank, bool (*leaves_out)(int size) = nullptr);

/// The rounds on a ring of p ≥ 2, by one port, as Swing (De Sensi et al.) writes them: what swing_block_schedule sends as well;
/// tests compare the two.
namespace paper {

/// π(r, s): r + ρ(s) where r is even, r - ρ(s) where it is odd, modulo p; ρ(s) = Σ_{i=0..s} (-2)^i. Even p. §3.1.1, eq. 2.
inline int swing_peer(int r, int s, int p) {
  int rho = 0;
  for (int i = 0, power = 1; i <= s; ++i, power *= -2) rho += power;
  return ((r % 2 == 0 ? r + rho : r - rho) % p + p) % p;
}

/// Adds the blocks of all whom r reaches, itself or through others, in the steps from s on. Even p. §3.1.1, Listing 1.
inline void add_swing_reached(int r, int s, int p, std::set<int>& blocks) {
  for (; s < swing_steps(p); ++s) {
    const int peer = swing_peer(r, s, p);
    blocks.insert(peer);
    add_swing_reached(peer, s + 1, p, blocks);
  }
}

/// Step s of the reduce-scatter: q = π(r, s) gets its own block and those of all whom it reaches later, but none that r sends
/// in a later step. Even p. §3.1.1; nothing sent twice: App. A.2, which powers of two do not need. Listing 1 as printed starts
/// at r, and would mark all blocks that r sends from step s on; its text, and the sizes that it gives, mean this.
inline Round swing_round(int r, int s, int p) {
  const int peer = swing_peer(r, s, p);
  std::set<int> blocks{peer};
  add_swing_reached(peer, s + 1, p, blocks);
  std::set<int> later{r};
  add_swing_reached(r, s + 1, p, later);
  for (const int block : later) blocks.erase(block);
  return {{peer, blocks}};
}

/// The same for odd p: ranks 0 … p - 2 as if there were no other; rank p - 1 swaps blocks with half of those whom it has not
/// met, rounded up, in the last step with all of them. §3.2, which prints (p - 1)/2^s of them in step s; its example of seven
/// ranks, 3, 2 and 1, needs half of that.
inline Round swing_odd_round(int r, int s, int p) {
  const int last = p - 1;
  int first = 0;
  for (int i = 0; i < s; ++i) first += (last - first + 1) / 2;
  const int end = s + 1 == swing_steps(p) ? last : first + (last - first + 1) / 2;
  Round round = r == last ? Round() : swing_round(r, s, last);
  for (int other = first; other < end; ++other) {
    if (r == last) round[other] = {other};
    if (r == other) round[last] = {last};
  }
  return round;
}

}  // namespace paper

}  // namespace heddle::schedule
