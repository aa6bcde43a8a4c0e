// SPDX-License-Identifier: Apache-2.0
// --clock, --dilate and --deadline.
#pragma once

#include <optional>

#include "cli/run_options.hpp"
#include "emu/emulation_settings.hpp"

namespace heddle {

/// Under which clock a run takes place. The virtual one is the default.
struct ClockChoice {
  bool is_wall = false;
  std::optional<double> dilation = {};  ///< no value: chosen for each algorithm
  std::optional<double> deadline_seconds = {};
};

/// What a chosen dilation aims at: lateness and computing may add so much to a run's time.
inline constexpr double kDilationError = 0.02;

/// What a chosen dilation keeps below, even if more is added then: seconds of wall time of the call that is measured.
inline constexpr double kLongestDilated = 60;

/// Throws InputError that names the flag.
ClockChoice read_clock(const RunOptions& options);

/// The wall clock's settings with this dilation. Ctrl-C stops the run if an InterruptGuard lives.
WallClockSettings wall_settings(const ClockChoice& choice, double dilation);

}  // namespace heddle
