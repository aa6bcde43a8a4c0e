// SPDX-License-Identifier: Apache-2.0
// Independent tasks over cores, within a memory budget.
#pragma once

#include <functional>
#include <vector>

#include "core/units.hpp"

namespace heddle {

struct BudgetedTask {
  double first;  ///< the greatest are started first: those that take the longest, lest they be the last to end
  Bytes memory;  ///< while it runs
  std::function<void()> work;
};

/// At most `workers` at once (≥ 1; fewer if the system has no more threads), which together need no more than `budget`; one that
/// needs more than that runs alone. A task may use oneTBB itself: it has idle workers help it, and never takes up another task
/// while it waits. Blocks until all are done; after is_stopped() says so, or a task has thrown, no further ones are started.
/// Rethrows what the first task threw, once all that were under way have ended. is_stopped is called from any of the workers, not
/// side by side.
void run_within_budget(std::vector<BudgetedTask> tasks, int workers, Bytes budget, const std::function<bool()>& is_stopped);

}  // namespace heddle
