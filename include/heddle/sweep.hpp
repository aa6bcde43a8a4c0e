// SPDX-License-Identifier: Apache-2.0
// Many runs: which algorithm is best where. docs/sweep.md says what the texts mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/run.hpp"

namespace heddle {

/// What varies. Every combination is a point, and each algorithm that fits runs there. An empty axis has the machine's value.
struct SweepAxes {
  std::string algorithms = "all";  ///< names with commas
  std::vector<Bytes> sizes = {};   ///< of the whole vector
  std::vector<std::string> topologies = {};
  std::vector<std::string> presets = {};
  std::vector<std::string> placements = {};
  std::vector<int> ranks = {};
  std::vector<Bandwidth> bandwidths = {};  ///< of each link
  std::vector<Time> latencies = {};        ///< of each link
  std::vector<std::string> faults = {};    ///< one at a time, and "none" (docs/faults.md)

  std::string base = {};  ///< what times are held against, as --base has it; empty: nothing
  /// Of each algorithm, at most so many variants that its options make (docs/tuning.md). No value: as named.
  std::optional<int> tune = {};
};

/// The results, as `heddle sweep` writes them.
struct SweepTexts {
  std::string table = {};  ///< for people: the best of each fabric and size
  std::string csv = {};    ///< a line per run
  std::string json = {};   ///< whole, and the same bytes on any machine
  std::string svg = {};    ///< a line per algorithm; empty where nothing can be drawn in one picture
};

/// Runs all of it, checked, over all cores. `call` is what all points have in common. Blocks. A run that fails a check is a row of
/// the results; throws InputError for what cannot be.
SweepTexts sweep(const Machine& machine, const Call& call, const SweepAxes& axes, const Settings& settings = {});

}  // namespace heddle
