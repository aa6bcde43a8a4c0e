// SPDX-License-Identifier: Apache-2.0
// A sweep that was found possible: which runs there are, and what each needs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lab/run/run_cost.hpp"
#include "lab/run/setup.hpp"
#include "lab/sweep/sweep.hpp"
#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// One algorithm at one point.
struct PlannedRun {
  std::size_t run;                    ///< its place in SweepDocument::runs
  std::shared_ptr<const Setup> plan;  ///< of the point
  std::size_t algorithm;              ///< its place in plan->algorithms.chosen
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
