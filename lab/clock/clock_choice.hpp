// SPDX-License-Identifier: Apache-2.0
// Which clock a run takes place under.
#pragma once

#include <functional>
#include <optional>

#include "emu/settings/emulation_settings.hpp"

namespace heddle {

/// Under which clock a run takes place. The virtual one is the default.
struct ClockChoice {
  bool is_wall = false;
  std::optional<double> dilation = {};  ///< no value: chosen for each algorithm
  std::optional<double> deadline_seconds = {};
  /// Whether the user wants the run to stop. Called from any thread; nullptr: never.
  std::function<bool()> interrupted = nullptr;
};

/// What a chosen dilation aims at: lateness and computing may add so much to a run's time.
inline constexpr double kDilationError = 0.02;

/// What a chosen dilation keeps below, even if more is added then: seconds of wall time of the call that is measured.
inline constexpr double kLongestDilated = 60;

/// The wall clock's settings with this dilation; whether to stop is asked by EmulationSettings::interrupted.
WallClockSettings wall_settings(const ClockChoice& choice, double dilation);

}  // namespace heddle
