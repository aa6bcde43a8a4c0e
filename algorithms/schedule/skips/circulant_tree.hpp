// SPDX-License-Identifier: Apache-2.0
// The tree that a block's contributions take to its owner in the circulant reduce-scatter, as a rooted tree of ranks.
//
// With n offsets left, a round of skip s hangs offset i + s on offset i, for s ≤ i + s < n (reduce_scatter/circulant.cpp); the
// rank with offset i is root - i, modulo p. A broadcast takes the rounds backwards: its steps are counted from skip 1 on.
//
// Picture, p = 7, offsets:
//
//   0 - 1            skip 1, step 0 of a broadcast
//   0 --- 2  1 --- 3      2       1
//   0 ------- 4  1 ------- 5  2 ------- 6      4       2
//
// Where rounding up leaves out the last offset of a round, the tree is flatter than a binomial one: p = 9 has height 2.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, proof of Theorem 1 and Fig. 1.
#pragma once

#include <cstdint>

#include "algorithms/schedule/skips/skip_schedule.hpp"
#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::schedule {

/// Of any skips with one in each round.
Tree skip_tree(const SkipSchedule& skips, int root);
/// Of those that halve.
Tree circulant_tree(int ranks, int root);

/// How many ranks are below the root's child that has the most below it, that child included; 0 for a single rank.
std::int64_t largest_branch(const Tree& tree);

}  // namespace heddle::schedule
