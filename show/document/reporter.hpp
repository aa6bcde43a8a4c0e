// SPDX-License-Identifier: Apache-2.0
// Who gets what a run measures, as it happens.
#pragma once

#include <vector>

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
  virtual void begin(const Setup& /*setup*/) {}
  /// After each, in the order of the setup; of the last, what was stopped.
  virtual void add(const Outcome& outcome) = 0;
  /// After the last, or after what stopped the run early.
  virtual void end(const Setup& /*setup*/) {}
};

// Where options are tuned: of each row's variants the best, for a reporter that shows these alone.

/// Hands on, at the end, for each row of the registry (bare_name) the outcome that took least time, of several the one that ran
/// first, and every outcome that failed. Until then it keeps them, so that memory is that of as many outcomes as there are rows.
class BestOfRowsReporter : public Reporter {
 public:
  /// `shown` outlives this.
  explicit BestOfRowsReporter(Reporter& shown) : shown_(shown) {}

  void add(const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  Reporter& shown_;
  std::vector<Outcome> kept_;
};

}  // namespace heddle
