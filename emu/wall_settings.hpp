// SPDX-License-Identifier: Apache-2.0
// A run under the wall clock: how it is stretched, and what ends it before its time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "emu/report.hpp"

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

/// A run under the wall clock was stopped by its deadline, or was interrupted.
class RunStopped : public Error {
 public:
  enum class Reason : std::uint8_t { deadline, interrupted };

  RunStopped(Reason reason, const std::string& explanation, Report so_far)
      : Error(explanation), reason_(reason), so_far_(std::move(so_far)) {}

  Reason reason() const { return reason_; }
  /// What was measured until then: `completion` is the emulated time that the run had reached; a rank that had not returned has
  /// a completion of 0.
  const Report& so_far() const { return so_far_; }

 private:
  Reason reason_;
  Report so_far_;
};

}  // namespace heddle
