// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Bruck's algorithms for k ports, as pure functions: in each step with k peers, all on one side, at 1, 2,
// …, k times the distance, and k + 1 times as far in the next step.
//
// Blocks (radix r = k + 1): step i goes to rank + j·r^i, j = 1 … k, as far as that is less than p. The digits of an offset in
// base r say in which steps its block moves, and how far.
//
// Whole vectors: a rank keeps two sums, T of the t ranks behind it and S with itself in addition. In each step it adds to both,
// behind the t places that are in, k more sums of either kind, so that c of t + 1 places (S) and k - c of t (T) make
//
//   t' = (k + 1)·t + c,     0 ≤ c ≤ k
//
// With the digits of p - 1 in base k + 1 as c, the highest first, t is p - 1 after ⌈log_{k+1} p⌉ steps, for any p. Where p is a
// power of k + 1, all digits are k and T is not wanted. Example, k = 2, p = 6, p - 1 = 12 in base 3:
//
//   step 0   c = 1, t = 1    window of rank 0: 0 1              got from 1: S
//   step 1   c = 2, t = 5                      0 1 [2 3] [4 5]  got from 2: S, from 4: S
//
// Source: Trivance (Jürß et al.) §2.4, §3.1. The algorithm is that of Bruck et al.; the two sums are those of Bar-Noy et al.
// (k = 1) and of Bruck and Ho.
#pragma once

#include <vector>

#include "algorithms/executors/skips.hpp"
#include "algorithms/executors/windows.hpp"

namespace heddle::plans {

/// ⌈log_{k+1} n⌉; n, ports ≥ 1.
int bruck_steps(int n, int ports);

/// The distances of each step, all less than n: 1 … k; (k+1) … k(k+1); ….
SkipRounds bruck_skips(int n, int ports);
/// Blocks: which offsets go on them.
SkipPaths bruck_paths(int n, int ports);
SkipPattern bruck_pattern(int ports);

/// Whole vectors.
WindowPlan bruck_windows(int n, int ports);

}  // namespace heddle::plans
