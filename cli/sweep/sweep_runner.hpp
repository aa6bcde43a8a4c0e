// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "cli/run_outcome.hpp"
#include "cli/sweep/sweep_journal.hpp"
#include "cli/sweep/sweep_plan.hpp"

namespace heddle {

/// What makes a run: run_algorithm, or what a test puts in its place. Called from several threads at once.
using RunFunction = std::function<RunOutcome(const RunPlan&, const Algorithm&)>;

struct SweepWork {
  int workers = 1;
  Bytes memory;
  RunFunction run;
};

/// How the work ended: by itself, or why not.
struct SweepEnd {
  bool is_interrupted = false;
  /// Runs were given up while they were under way: their threads go on until the process ends, which must be at once, without
  /// unwinding anything.
  bool has_abandoned = false;
  std::string failure = {};  ///< what stopped it, in one line: a full disk, no memory
};

/// Runs what the plan's document lacks, and puts the results into it and at once into the journal, if there is one. Shows
/// progress on `err` if it is a terminal. The first SIGINT or SIGTERM has it start no more; the second gives up what is under
/// way. `finish` is called once at the end, while nobody touches the document; where runs are abandoned, before their threads
/// may go on.
void run_sweep(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, std::ostream& err,
               const std::function<void(const SweepEnd&)>& finish);

}  // namespace heddle
