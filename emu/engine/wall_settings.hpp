// SPDX-License-Identifier: Apache-2.0
// A run under the wall clock: how it is stretched, and what ends it before its time.
#pragma once

#include <functional>
#include <optional>

#include "emu/engine/run_stopped.hpp"

namespace heddle {

struct WallClockSettings {
  /// Wall time per emulated time, > 0 and finite: with 1000, an emulated microsecond takes a millisecond. What ranks compute
  /// counts as what it takes, divided by this.
  double dilation = 1;
  /// The run is stopped so many seconds of wall time after its begin, > 0.
  std::optional<double> deadline_seconds = {};
  /// Asked some twenty times a second, on a thread of the run's own: whether to stop.
  std::function<bool()> interrupted = {};
  /// The clock stands still until all ranks have said that they are ready (for heddle's own checks, whose preparations must not
  /// count).
  bool waits_for_starting_line = false;
};

}  // namespace heddle
