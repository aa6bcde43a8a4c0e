// SPDX-License-Identifier: Apache-2.0
// Runs that were measured over a real network, beside emulated ones of the same call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"
#include "lab/measurements/measured_run.hpp"
#include "lab/results/comparison.hpp"

namespace heddle {

struct MeasuredPoint {
  const MeasuredRun* run;
  std::string fabric;  ///< "star:8"; with its preset, bandwidth and so on where several fabrics were emulated
  Time emulated;
  /// Emulated over measured.
  double ratio() const;
};

/// Of several ratios.
struct RatioSpread {
  double least;
  double median;
  double most;
};

struct AgainstMeasured {
  std::vector<MeasuredPoint> points;      ///< in the order of the measured runs
  std::vector<const MeasuredRun*> alone;  ///< for which nothing was emulated

  /// Of the points of one fabric (empty: of all) and algorithm (empty: of all). No value: there are none.
  std::optional<RatioSpread> ratios(std::string_view fabric = {}, std::string_view algorithm = {}) const;
};

/// Each measured run beside the results of the same collective, algorithm, number of ranks and size, on each fabric; those that
/// failed a check and those with faults or several groups do not count. `runs` outlive the result. Throws InputError if nothing is
/// of the same call, which says what there is.
AgainstMeasured hold_against(std::span<const MeasuredRun> runs, const ResultFile& emulated);

}  // namespace heddle
