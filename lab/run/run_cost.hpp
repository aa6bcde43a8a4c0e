// SPDX-License-Identifier: Apache-2.0
// What a run will take of this machine, estimated before it is made: from its algorithm's formulas, and from what a message and a
// byte took where that was measured.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "heddle/units.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

struct RunCost {
  double messages = 0;    ///< of all calls
  double seconds = 0;     ///< on one core; often right within a factor of three
  Bytes memory;           ///< at worst, as Setup::memory says
  bool is_guess = false;  ///< its algorithm does not say how many rounds it takes: one for each rank
};

/// Of one algorithm of the setup. `shapes` are the setup's.
RunCost run_cost(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes);

/// From how many seconds on people want to know beforehand.
inline constexpr double kLongRun = 10;

/// "about 1.1e+09 messages, 9 minutes and up to 1.4GiB of memory" of runs of which so many go side by side, if all of that takes
/// kLongRun or more; else no value.
std::optional<std::string> long_run_text(std::span<const RunCost> runs, int workers);

/// The same of all algorithms of the setup.
std::optional<std::string> long_run_text(const Setup& setup, int workers);

}  // namespace heddle
