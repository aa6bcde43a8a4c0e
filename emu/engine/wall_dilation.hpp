// SPDX-License-Identifier: Apache-2.0
// How far a run must be stretched for the wall clock to measure its time: by how late this machine's threads go on after a
// timer, measured, and by how much the run computes.
#pragma once

#include "emu/record/report.hpp"

namespace heddle {

/// Seconds from when a timer is due until the last of `tasks` kernel threads that it wakes has gone on: what nine in ten of
/// some tries stay below. Takes about a tenth of a second, more with hundreds of threads; other load counts, as it will in the
/// run.
double measure_lateness(int tasks);

struct Dilation {
  double factor = 1;  ///< wall time per emulated time
  /// What lateness and computing are expected to add to the run's time, as a part of it.
  double expected_error = 0;
};

/// The least dilation with which lateness and computing are expected to add no more than `error` (0.02: 2 %) to the time of a
/// run that took `virtually` under the virtual clock. On its critical path each message, and the return, may be late once:
///   k = s · ((n + 1)·lateness + computing / 2) / (error · T)
/// s tasks that act on a rank at once: what one is late by may hold the others, on links that they would have had to
/// themselves in turn. n messages on that path, T its time; computing: what the host spent on the run under the virtual clock,
/// of which the measured call is half at most (docs/model.md, "Wall clock"). At least 1, also where T is 0. Less than that, and
/// more error, where k·T would be more than `longest_seconds` of wall time.
Dilation choose_dilation(const Report& virtually, double lateness_seconds, double error, double longest_seconds);

}  // namespace heddle
