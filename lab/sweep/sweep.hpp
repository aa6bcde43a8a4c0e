// SPDX-License-Identifier: Apache-2.0
// Many experiments as a value: one that all have in common, and axes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/describe/variants.hpp"
#include "lab/run/setup.hpp"
#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// Every combination of the axes' values is a point, and every algorithm that fits is run there. An axis without values has the
/// common experiment's one.
struct Sweep {
  Experiment common = {};
  std::string algorithms = "all";     ///< names with commas
  std::optional<Tuning> tuning = {};  ///< if given: of each algorithm the variants that its options make, at each point

  std::vector<std::string> topologies = {};
  std::vector<std::string> presets = {};
  std::vector<Named<TierValues<Bandwidth>>> bandwidths = {};  ///< each by tier of links, as in FabricSpec
  std::vector<Named<TierValues<Time>>> latencies = {};
  std::vector<Named<std::vector<Routing>>> routings = {};  ///< several of one value: seeds, shown together ("ecmp:1:32")
  std::vector<std::string> placements = {};
  std::vector<int> ranks = {};
  std::vector<Named<std::vector<std::string>>> faults = {};  ///< each those that are there at once, as Experiment::faults
  std::vector<Named<Model>> models = {};
  std::vector<Bytes> sizes = {};

  std::string base = {};  ///< what times are held against (find_base in lab/sweep/sweep_axes.hpp); empty: nothing
  Shard shard = {};
  /// What the sweep's documents say of it: every flag that has a say in the results, as text. Two sweeps of the same version
  /// with the same parameters have the same results. Empty: the common experiment's text and the axes.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  /// The command line that repeats it, for its documents. Empty: none does.
  std::string command = {};
};

/// The axes as texts, each of which may name several values: as the flags of `heddle sweep` have them.
struct AxisTexts {
  std::vector<std::string> topologies = {};
  std::vector<std::string> presets = {};
  std::vector<std::string> bandwidths = {};
  std::vector<std::string> latencies = {};
  std::vector<std::string> routings = {};
  std::vector<std::string> placements = {};
  std::vector<std::string> faults = {};
  std::vector<std::string> models = {};
  std::optional<std::string> ranks = {};
  std::optional<std::string> sizes = {};
};

/// Throws InputError that names the flag.
void read_axes(const AxisTexts& texts, Sweep& sweep);

/// Runs all of it, checked, over all cores, and returns the results. Blocks. Throws InputError for what cannot be. For a sweep
/// that is interrupted and resumed see lab/sweep/sweep_runner.hpp.
SweepDocument run(const Sweep& sweep);

// A sweep that was found possible: which runs there are, and what each needs.

/// One algorithm at one point.
struct PlannedRun {
  std::size_t run;                     ///< its place in SweepDocument::runs
  std::shared_ptr<const Setup> setup;  ///< of the point
  std::size_t algorithm;               ///< its place in setup->algorithms.chosen
  RunCost cost;
};

struct SweepPlan {
  SweepDocument document;  ///< no run of it finished
  std::vector<PlannedRun> runs;
  /// Of all points, if options are tuned; a shard's plan counts them all, too.
  std::optional<VariantCount> variants = {};
};

/// Throws InputError that names the flag, before anything has run. A shard's plan has the shard's runs alone, dealt by cost.
SweepPlan plan_sweep(const Sweep& sweep);

}  // namespace heddle
