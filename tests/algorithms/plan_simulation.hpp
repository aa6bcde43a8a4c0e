// SPDX-License-Identifier: Apache-2.0
// Runs a plan of blocks on sets of contributions instead of data: what an allreduce may count on, checked step by step.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "algorithms/executors/blocks.hpp"

namespace heddle::testing {

/// The blocks, by owner, that a transfer carries.
inline std::set<int> blocks_of(const plans::BlockSteps& plan, const plans::BlockTransfer& transfer) {
  std::set<int> blocks;
  for (const plans::Run& run : transfer.runs) {
    for (int position = run.first; position < run.end(); ++position) blocks.insert(plan.block_at(position));
  }
  return blocks;
}

/// What is wrong with a plan, in words, or "": each send has its receive; a contribution is never added twice; each owner
/// ends up with all contributions to its block; p - 1 blocks sent per rank; backwards, everyone gets every block.
std::string failure_of(const plans::BlockSteps& plan);

}  // namespace heddle::testing
