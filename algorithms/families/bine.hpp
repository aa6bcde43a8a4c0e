// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Bine trees and butterflies, as pure functions.
//
// A Bine tree is a binomial tree whose ranks are numbered in base -2 ("binomial negabinary"). With digits that count 1, -2, 4,
// -8, … a code of s digits stands for a number from -(…1010) to …0101, on both sides of 0: of p = 2^s ranks on a circle the
// nearer half or so on either side of the root. Where binomial trees bridge 2^j ranks, Bine trees bridge |Σ_{i≤j} (-2)^i|, one
// third less: 1, 1, 3, 5, 11, … to alternating sides. These are Swing's distances and partners
// (families/swing.hpp).
//
//   p = 8, root 0, distances halving: 3, 1, 1        p = 8, root 0, distances doubling: 1, 1, 3
//
//   6   7   0   1   2   3   4   5                    6   7   0   1   2   3   4   5
//           +----------->            step 0                  +--->                    step 0
//       <---+           +--->        step 1              <---+   +--->                step 1
//   <---+   +--->   <---+   +--->    step 2                  +----------->            step 2, and 7 -> 4, 1 -> 6, 2 -> 5
//
// In a halving tree the step at which a rank is reached follows from the run of equal digits at the end of its code, and what
// is below it are neighbours on the circle. In a doubling tree it is the highest digit of h(r), the code of r where r is odd,
// of -r where it is even; the ones of v(r) = h(r) xor h(r)/2 are the steps on the way from the root to r.
//
// Any p. Even ones that are no power of two: a tree of ⌈log2 p⌉ steps reaches some ranks twice; what comes later is left out,
// with what is below it. Odd ones: neighbours fold into 2^⌊log2 p⌋ positions (executors/lattice.hpp) and a last step
// goes from partners to their extra ranks. A tree with another root than 0 is that of 0 with the ranks counted from the root
// on.
// Source: Bine (De Sensi et al.) §2.3 (halving), §3.1 (butterflies), §3.2 and App. A (doubling), App. C (other p), where the
// upper ranks fold instead of neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "algorithms/executors/trees.hpp"
#include "algorithms/families/swing.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

/// The code of a number in base -2: digit j counts (-2)^j. |value| < 2^30.
constexpr std::uint32_t negabinary(int value) {
  constexpr std::uint32_t kNegativeDigits = 0xAAAAAAAA;
  return (static_cast<std::uint32_t>(value) + kNegativeDigits) ^ kNegativeDigits;
}
/// The number that a code stands for.
constexpr int from_negabinary(std::uint32_t code) {
  constexpr std::uint32_t kNegativeDigits = 0xAAAAAAAA;
  return static_cast<int>((code ^ kNegativeDigits) - kNegativeDigits);
}
/// The greatest number of `digits` digits, …0101: the rightmost rank of a tree of 2^digits. The least is that minus 2^digits
/// - 1.
constexpr int greatest_negabinary(int digits) { return from_negabinary(((std::uint32_t{1} << digits) - 1) & 0x55555555); }

/// How the distances of a tree's or a butterfly's steps go.
enum class Distances : std::uint8_t { halving, doubling };

/// ⌈log2 ranks⌉: steps of a tree, of any number of ranks.
int bine_tree_steps(int ranks);

/// The partner function: of r in step i of a butterfly on an even number p of positions, r + ρ(t) where r is even, r - ρ(t)
/// where it is odd, modulo p; ρ(t) = (1 - (-2)^(t+1))/3, t = i where distances double, s - 1 - i where they halve, s = ⌈log2
/// p⌉. Mirrored, the other way round. All that runs follows from it. Bine §3.1, eq. 4; App. A, eq. 5; App. C. It is Swing's π
/// of step t.
inline int bine_partner(int r, int i, int p, Distances distances, Swing swing = Swing::plain) {
  return swing_partner(r, distances == Distances::doubling ? i : bine_tree_steps(p) - 1 - i, p, swing);
}

/// How `rank` hangs on its parent; of the root {-1, -1}.
Tree::Edge bine_edge(int rank, int ranks, int root, Distances distances);
Tree bine_tree(int ranks, int root, Distances distances);

/// v(rank) of 2^s ranks: bit j is set if the doubling tree's way from 0 to `rank` takes step j.
std::uint32_t bine_way(int rank, int ranks);
/// Where the block of `rank` lies so that those of a doubling subtree lie side by side: v(rank), its s bits reversed. 2^s
/// ranks.
int bine_position(int rank, int ranks);

// Bine butterflies: the block plans of reduce-scatters and allgathers. Pure.
//
// A butterfly is one Bine tree per root, all at once: in step i even ranks exchange with the rank Σ_{j≤i} (-2)^j further, odd
// ones with that as far back: distances 1, 1, 3, 5, 11, … in a reduce-scatter of doubling distances, the same from the last to
// the first if they halve. On a grid the steps take turns over the dimensions. Partners are Swing's; what is Bine's is where
// blocks lie and how its ports turn.
//
// Sizes. Even ones that are no power of two: a block that could go in two steps goes in the later one, so that the subtree that
// an allgather would reach a second time is left out. Odd ones: neighbours fold into 2^⌊log2 d⌋ positions
// (executors/lattice.hpp), as two more steps of blocks: an extra rank first sends its partner all sums but that of its
// own block, and gets what its block lacks in the last step. So every rank sends p - 1 blocks of a reduce-scatter for any p; in
// an allgather partners send more.
//
// Layouts (p = 8): blocks by position, so that a message is one run.
//
//   by ways       0 3 7 4 1 6 2 5     v(block), its bits reversed: step 0 sends a half, 1 6 2 5 from rank 0
//   rank order    0 1 2 3 4 5 6 7     runs round the circle if distances halve: 2 3 4 5 from rank 0
//
// Source: Bine (De Sensi et al.) §3.1 (butterflies), §4.3 and Fig. 8 (layouts), App. C (other p), App. D (tori, ports).

/// One of the 2D collectives on a torus. Its steps take the directions +0 … +(D-1), -0 … -(D-1) in turn (in 2D: east, north,
/// west, south) and begin with that of its number, so that in each step every port takes another.
struct BinePort {
  int first_dimension = 0;
  std::vector<Swing> swings = {Swing::plain};  ///< by dimension
};
BinePort bine_port(int port, int dimensions);

/// Distances doubling, blocks laid out so that messages are few runs: for an allreduce. Odd dimensions fold.
BlockPlan bine_block_plan(const Lattice& lattice, const BinePort& port);
/// The same over a circle of ranks.
BlockPlan bine_block_plan(int ranks);
/// Distances halving, blocks in rank order; odd `ranks` fold.
BlockPlan bine_halving_plan(int ranks);
/// Distances doubling, blocks by ways; what is no power of two folds, partner and extra rank side by side. Every message is one
/// run but an extra rank's first, which leaves out its own block.
BlockPlan bine_by_ways_plan(int ranks);

/// The three over all ranks of a communicator, each made once for all of them.
std::shared_ptr<const BlockPlan> shared_bine_block_plan(Communicator& comm);
std::shared_ptr<const BlockPlan> shared_bine_halving_plan(Communicator& comm);
std::shared_ptr<const BlockPlan> shared_bine_by_ways_plan(Communicator& comm);

/// Steps of such a reduce-scatter over a dimension: ⌈log2 size⌉, or ⌊log2 size⌋ + 2 where it folds.
int bine_block_steps(int size);
int bine_by_ways_steps(int ranks);

/// How many blocks each rank receives in a reduce-scatter: what it sends in the allgather.
std::vector<std::int64_t> blocks_received(const BlockPlan& plan);

/// A doubling tree for vectors that `plan` lays out, its ranks counted from `root` on.
BlockTree bine_block_tree(const BlockPlan& plan, int root);

// The ways of blocks in an alltoall along a Bine butterfly. Pure.
//
// Positions stand round a circle, an even number of them. A block whose destination is `index` positions further from its
// source, if that is even, or as far back, if it is odd, keeps that index all the way. All positions look alike, so at any time
// each has one block of each index, and in a step partners swap those whose ways take it.
//
//   8 positions   index      0    1    2    3    4    5    6    7
//                 takes      -    0   0,1   2   1,2 0,1,2 0,2   1       step 0: 1 further, step 1: 1 back, step 2: 3 further
//
// (from an even position; from an odd one the other way round, and each step leads from one to the other). At powers of two
// that is v(index) of a Bine tree. At other even numbers an index that two ways reach takes that which begins later.
// Source: Bine (De Sensi et al.) §4.4, §3.2; App. C (even p).

class BineWays {
 public:
  /// An even number, or 1.
  explicit BineWays(int positions);

  int positions() const { return static_cast<int>(ways_.size()); }
  int steps() const { return steps_; }
  /// Bit k: whether the index's way takes step k.
  std::uint32_t way(int index) const { return ways_[static_cast<std::size_t>(index)]; }
  bool takes(int index, int step) const { return ((way(index) >> step) & 1) != 0; }

  /// Where the block of that source and index is to go.
  int destination(int source, int index) const;
  /// Where the block comes from that `position` has of an index before a step; before step steps(), in the end.
  int source(int position, int index, int step) const;

 private:
  int steps_;
  std::vector<std::uint32_t> ways_;
};

}  // namespace heddle::plans

namespace heddle::formulas {

// Rounds and bytes of what runs on Bine butterflies. Where nothing folds they are closed forms; where something does, bytes are
// counted from the plan. Pure.

/// One phase over all ranks.
Formula<int> bine_rounds();
/// One phase, blocks in the order of their ways.
Formula<int> bine_rounds_by_ways();
/// The same and the blocks' way to or from their owners.
Formula<int> bine_rounds_with_owners();

std::int64_t bine_send_reduce_scatter_bytes(const Shape& shape);
std::int64_t bine_block_by_block_allgather_bytes(const Shape& shape);
std::int64_t bine_two_transmissions_allgather_bytes(const Shape& shape);
std::int64_t bine_permute_allgather_bytes(const Shape& shape);
std::int64_t bine_send_allgather_bytes(const Shape& shape);

std::int64_t bine_large_bytes(const Shape& shape);
int bine_torus_rounds(const Shape& shape);
std::int64_t bine_torus_bytes(const Shape& shape);

int bine_scatter_allgather_rounds(const Shape& shape);
std::int64_t bine_scatter_allgather_bytes(const Shape& shape);
int bine_reduce_scatter_gather_rounds(const Shape& shape);
std::int64_t bine_reduce_scatter_gather_bytes(const Shape& shape);

std::int64_t bine_alltoall_bytes(const Shape& shape);

}  // namespace heddle::formulas
