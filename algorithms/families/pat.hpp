// SPDX-License-Identifier: Apache-2.0
// The trees of PAT (parallel aggregated trees), one per block, all of the same shape and walked at the same time. Pure.
//
// Backwards in time, as an allgather: rank r is the root of block r's tree, in which the node at offset o is rank r + o. The
// parent of o is o without its lowest bit, so the way to o takes its bits from the highest down: far leaps first.
//
//   p = 8      0 -+- 4 -+- 6 --- 7
//                 |     +- 5
//                 +- 2 --- 3
//                 +- 1
//
// No way leads beyond o, so every p has its tree: the nodes 0 … p-1 of the next larger power of two 2^K.
//
// A message may carry up to 2^a blocks, one from each of 2^a trees that the same rank has a node of. First the trees' highest a
// levels are walked, level by level, with 1, 2, 4, … 2^(a-1) blocks in a message: offsets that are multiples of 2^(K-a). Below
// them hang 2^a subtrees of 2^(K-a) nodes, all alike. These are walked together, one node of each at a time, a node before its
// children and the farthest child first (depth first): 2^(K-a) - 1 messages of up to 2^a blocks.
//
//   p = 8, blocks in the messages by offset      2^a = 1   4, 6, 7, 5, 2, 3, 1
//                                                2^a = 2   4; 2 and 6; 3 and 7; 1 and 5
//                                                2^a = 4   4; 2 and 6; 1, 3, 5 and 7
//
// Depth first, few blocks wait to be passed on: never more than 2^a on each of the K-a lower levels, however many there are in
// all. That is what lets a library stage them in buffers of a fixed size. The reduce-scatter is the same backwards.
//
// Source: explainer 01 (Lu) App. A (the trees, farthest first); Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter
// operations at scale (2025): any p, aggregation by the size of the buffers, the linear part.
#pragma once

#include <limits>
#include <vector>

#include "algorithms/executors/skips.hpp"

namespace heddle::plans {

inline constexpr int kAggregateAll = std::numeric_limits<int>::max();

/// The exponent a: 2^a is the largest power of two that is not above `aggregation` and of which there are trees.
int pat_levels(int ranks, int aggregation);

/// Rounds of either collective: a + 2^(K-a) - 1, but no more than p - 1.
int pat_rounds(int ranks, int aggregation);

/// The nodes that a message reaches, by offset, rising; all have the same lowest bit, the distance to their parents.
using PatMessage = std::vector<int>;

/// In the order of the allgather.
std::vector<PatMessage> pat_messages(int ranks, int aggregation);

/// As a reduce-scatter: nearest first, from r + o towards r.
SkipPlan pat_plan(int ranks, int aggregation);

/// The same with a message for each block, several at once.
SkipPlan pat_plan_block_by_block(int ranks);

}  // namespace heddle::plans
