// SPDX-License-Identifier: Apache-2.0
// An order of blocks in which those that travel together lie side by side.
#pragma once

#include <functional>
#include <vector>

namespace heddle::schedule {

/// Appends those with whom `member` shares what it holds in `step`.
using Companions = std::function<void(int member, int step, std::vector<int>& companions)>;

/// From the last step to the first, each chain of blocks grows by those of its companions that have not grown in the step.
/// Where a step makes disjoint groups of the groups before, as in butterflies of powers of their radix, each group is one run;
/// elsewhere groups overlap and not all can be. Block by block as they lie.
std::vector<int> lay_out(int blocks, int steps, const Companions& companions);

/// 0, 1, …, blocks - 1.
std::vector<int> in_order(int blocks);

}  // namespace heddle::schedule
