// SPDX-License-Identifier: Apache-2.0
// One run of a sweep, and what can stop it.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "lab/experiment/outcome.hpp"
#include "lab/sweep/sweep_plan.hpp"
#include "lab/sweep/sweep_result.hpp"

namespace heddle {

/// `planned` with what the run found. Blocks as long as the run takes; throws what it throws.
SweepResult make_run(const PlannedRun& run, const std::function<Outcome(const Setup&, const Algorithm&)>& function,
                     SweepResult planned);

/// Why no further run is made.
struct SweepStop {
  std::string text;         ///< one line
  bool is_refused = false;  ///< by an InputError, or for want of memory: more than the system has was asked for
};

/// What a run, the journal or the network has thrown.
SweepStop stop_of(const std::exception_ptr& failure);

}  // namespace heddle
