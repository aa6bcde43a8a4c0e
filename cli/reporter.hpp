// SPDX-License-Identifier: Apache-2.0
// Who is told what a run measures, as it happens. The table and the JSON report are made of the same values.
#pragma once

#include "cli/run_outcome.hpp"
#include "cli/run_plan.hpp"

namespace heddle {

class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  /// Before the first algorithm runs.
  virtual void begin(const RunPlan& plan) = 0;
  /// After each, in the order of the plan.
  virtual void add(const RunPlan& plan, const RunOutcome& outcome) = 0;
  /// In place of add() of the last: its run under the wall clock was stopped.
  virtual void add_stopped(const RunPlan& /*plan*/, const Algorithm& /*algorithm*/, const RunStopped& /*stopped*/) {}
  /// After the last, or after what stopped the run early.
  virtual void end(const RunPlan& plan) = 0;
};

}  // namespace heddle
