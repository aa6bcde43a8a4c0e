// SPDX-License-Identifier: Apache-2.0
// What the processes of a spread sweep do whose rank is not 0. Rank 0 runs the sweep (sweep_runner.hpp) and has them as
// SweepProcesses.
#pragma once

#include <functional>
#include <string>

#include "lab/describe/processes.hpp"
#include "lab/sweep/sweep_processes.hpp"
#include "lab/sweep/sweep_runner.hpp"

namespace heddle {

struct ServedSweep {
  SweepPlan plan;
  SweepWork work;  ///< its `processes` are not used
};

/// How it ended.
struct ServeEnd {
  bool is_interrupted = false;
  bool has_abandoned = false;  ///< as SweepEnd's
  std::string failure = {};    ///< of the network or of rank 0, in one line; empty: rank 0 has said that there is no more
};

/// Plans the sweep that rank 0 names and makes the runs that it gives, each on a thread of its own, `work.workers` at once. What `plan`
/// throws is told to rank 0. Blocks until rank 0 says that there is no more; or until the network has failed or `work.patience` and a second
/// have passed after an interruption, and runs that are under way then are given up. `finish` is called once at the end, before these
/// threads are waited for.
void serve_sweep(ProcessMessages& messages, const std::function<ServedSweep(const SweepCall&)>& plan,
                 const std::function<void(const ServeEnd&)>& finish);

}  // namespace heddle
