// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Trivance, as pure functions: in each step with one peer on either side, three times as far as before.
//
// On a ring of n, step k goes to r + 3^k and r - 3^k. After it a rank has heard of all within (3^(k+1) - 1)/2 on either side,
// three times as many as before. ⌊log3 n⌋ such steps make 3^⌊log3 n⌋; the n - 3^⌊log3 n⌋ that are missing where n is no power
// of three lie beside them, half on either side, and one more step brings them, from peers half as far away as there are
// missing:
//
//   n = 7: 3 heard of after step 0, 4 missing: distance 2       n = 32: 27 after step 2, 5 missing: distance 3
//
// Source: Trivance (Jürß et al.) §4.1, §4.3, §4.4. It prints the last distance as ⌈(3^⌈log3 n⌉ - n)/2⌉, which its own examples
// contradict: ⌈(n - 3^⌊log3 n⌋)/2⌉ is meant.
#pragma once

#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/skips.hpp"
#include "algorithms/executors/windows.hpp"

namespace heddle::plans {

/// ⌈log3 n⌉, n ≥ 1.
int trivance_steps(int n);

/// The partner function: π(r, k) = r ± ρ(k), modulo n. ρ(k) = 3^k, and ⌈(n - 3^⌊log3 n⌋)/2⌉ in the last one where n is no power
/// of three.
int trivance_distance(int step, int n);

/// Blocks: the distances to either side, the nearest first. Where n is no power of three, the one that is not 3^k has its place
/// among the others, not at the end as in the source: what goes in the first steps is much and should be near, and what goes
/// in the last is little. With n = 32 these are 1, 3, 3, 9, and a link carries 1 · M in all, as where n is 27; in the
/// order 1, 3, 9, 3 it would carry 1.375 · M.
SkipPaths trivance_paths(int n);
SkipPattern trivance_pattern();

/// How far a window of whole-vector Trivance grows in a step: by so many places to the right, got from the peer as far away,
/// and to the left.
struct TrivanceGrowth {
  int right;
  int left;
  friend bool operator==(const TrivanceGrowth&, const TrivanceGrowth&) = default;
};

/// The windows of trivance_steps(n) steps that load the ring least: the sum over steps of distance times vectors, of the busier
/// direction. Where n is a power of three, and elsewhere as far as it costs nothing, these are the distances above.
std::vector<TrivanceGrowth> trivance_growths(int n);
WindowPlan trivance_windows(int n);

}  // namespace heddle::plans
