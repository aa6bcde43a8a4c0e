// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Bine trees and butterflies, as pure functions.
//
// A Bine tree is a binomial tree whose ranks are numbered in base -2 ("binomial negabinary"). With digits that count 1, -2, 4,
// -8, … a code of s digits stands for a number from -(…1010) to …0101, on both sides of 0: of p = 2^s ranks on a circle the
// nearer half or so on either side of the root. Where binomial trees bridge 2^j ranks, Bine trees bridge |Σ_{i≤j} (-2)^i|, one
// third less: 1, 1, 3, 5, 11, … to alternating sides. These are Swing's distances and partners
// (schedule/butterflies/swing_pattern.hpp).
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
// with what is below it. Odd ones: neighbours fold into 2^⌊log2 p⌋ positions (schedule/butterflies/fold.hpp) and a last step
// goes from partners to their extra ranks. A tree with another root than 0 is that of 0 with the ranks counted from the root
// on.
// Source: Bine (De Sensi et al.) §2.3 (halving), §3.1 (butterflies), §3.2 and App. A (doubling), App. C (other p), where the
// upper ranks fold instead of neighbours.
#pragma once

#include <bit>
#include <cstdint>

#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::schedule {

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

/// How `rank` hangs on its parent; of the root {-1, -1}.
Tree::Edge bine_edge(int rank, int ranks, int root, Distances distances);
Tree bine_tree(int ranks, int root, Distances distances);

/// v(rank) of 2^s ranks: bit j is set if the doubling tree's way from 0 to `rank` takes step j.
std::uint32_t bine_way(int rank, int ranks);
/// Where the block of `rank` lies so that those of a doubling subtree lie side by side: v(rank), its s bits reversed. 2^s
/// ranks.
int bine_position(int rank, int ranks);

/// The paper's rounds of a broadcast from root 0 to p = 2^s ranks, p ≥ 2: as bine_edge has them; tests compare the two.
namespace paper {

/// rank2nb(r, p): the code of r, or of r - p where r is beyond the greatest number of s digits. Bine §2.3.1.
inline std::uint32_t rank2nb(int r, int p) { return negabinary(r <= greatest_negabinary(bine_tree_steps(p)) ? r : r - p); }
/// nb2rank(code, p): back.
inline int nb2rank(std::uint32_t code, int p) { return (from_negabinary(code) + p) % p; }

/// v(r, p) = h ⊕ h/2, where h is the code of r if r is odd, of p - r if it is even. Bine §3.2.1.
inline std::uint32_t bine_v(int r, int p) {
  const std::uint32_t h = r % 2 != 0 ? rank2nb(r, p) : rank2nb((p - r) % p, p);
  return h ^ (h >> 1);
}

/// Distances halving: r > 0 receives in step i = s - u, where its code ends with u equal digits, from the rank whose code
/// differs in the last s - i digits. Bine §2.3.2, eq. 1.
inline Tree::Edge bine_halving_edge(int r, int p) {
  const int s = bine_tree_steps(p);
  const std::uint32_t code = rank2nb(r, p);
  int u = 1;
  while (u < s && ((code >> u) & 1) == (code & 1)) ++u;
  return {nb2rank(code ^ ((std::uint32_t{1} << u) - 1), p), s - u};
}

/// Distances doubling: r > 0 receives in step i, the place of the highest one in v(r), from the q with v(q) = v(r) ⊕ 2^i.
/// Bine §3.2.2.
inline Tree::Edge bine_doubling_edge(int r, int p) {
  const int i = std::bit_width(bine_v(r, p)) - 1;
  int q = 0;
  while (bine_v(q, p) != (bine_v(r, p) ^ (std::uint32_t{1} << i))) ++q;
  return {q, i};
}

}  // namespace paper

}  // namespace heddle::schedule
