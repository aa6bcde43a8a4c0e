// SPDX-License-Identifier: Apache-2.0
// Who gets what a run measures, as it happens. The table and the JSON report are made of the same values.
#pragma once

#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  /// Before the first algorithm runs.
  virtual void begin(const Setup& plan) = 0;
  /// After each, in the order of the plan.
  virtual void add(const Setup& plan, const Outcome& outcome) = 0;
  /// In place of add() of the last: its run under the wall clock was stopped.
  virtual void add_stopped(const Setup& /*plan*/, const Algorithm& /*algorithm*/, const RunStopped& /*stopped*/) {}
  /// After the last, or after what stopped the run early.
  virtual void end(const Setup& plan) = 0;
};

}  // namespace heddle
