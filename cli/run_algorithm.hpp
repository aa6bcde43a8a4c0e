// SPDX-License-Identifier: Apache-2.0
// One algorithm of a plan, run and checked.
#pragma once

#include "cli/run_outcome.hpp"
#include "cli/run_plan.hpp"

namespace heddle {

/// Blocks until it is done. A check that fails is an outcome; throws InputError for a call that cannot be made. Plans may be
/// run side by side on several threads.
RunOutcome run_algorithm(const RunPlan& plan, const Algorithm& algorithm);

}  // namespace heddle
