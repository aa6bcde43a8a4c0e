// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in recursive halving, for any number of ranks; recursive doubling is the same backwards. Pure.
#pragma once

#include "algorithms/executors/blocks.hpp"

namespace heddle::plans {

/// Blocks in rank order: in step k position s sends to position s XOR p'/2^(k+1), p' = 2^⌊log2 p⌋. If p is no power of two,
/// extra ranks send to their partners first and get their own block from them last (fold.hpp): log2 p' + 2 steps.
BlockPlan recursive_halving_plan(int ranks);

}  // namespace heddle::plans
