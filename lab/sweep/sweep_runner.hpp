// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "lab/describe/processes.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/sweep/sweep.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "lab/sweep/sweep_processes.hpp"

namespace heddle {

/// What makes a run: run_algorithm, or what a test puts in its place. Called from several threads at once.
using RunFunction = std::function<Outcome(const Setup&, const Algorithm&)>;

struct SweepWork {
  int workers = 1;
  Bytes memory;
  RunFunction run;
  /// How often the user has asked to stop: at 1 no more runs start, at 2 those under way are given up. Called from any thread;
  /// nullptr: never.
  std::function<int()> interruptions = nullptr;
  /// How long after the first of them those under way may still end before they are given up.
  std::chrono::steady_clock::duration patience = std::chrono::seconds(1);
  /// That make runs of it, too, and have agreed on its plan; used by the thread that runs the sweep. nullptr: there are none.
  SweepProcesses* processes = nullptr;
};

/// On all cores, with three quarters of the machine's memory.
SweepWork usual_work();

/// Sees how a sweep goes. Called by the thread that runs the sweep, several times a second.
class SweepWatcher {
 public:
  virtual ~SweepWatcher() = default;

  /// `seconds_left` is a guess; no value before the first run has ended.
  virtual void progressed(int finished, int all, double seconds_gone, std::optional<double> seconds_left) = 0;
  /// Once: no more runs start, and so many are under way.
  virtual void interrupted(int under_way) = 0;
  /// Before the sweep's end is handled.
  virtual void ended() = 0;
};

/// How the work ended: by itself, or why not.
struct SweepEnd {
  bool is_interrupted = false;
  /// Runs were given up while they were under way: their threads go on until the process ends, which must be at once, without
  /// unwinding anything.
  bool has_abandoned = false;
  std::string failure = {};  ///< what stopped it, in one line: a full disk, no memory
  bool is_refused = false;   ///< that was an InputError: more threads than the system has, say
};

/// Runs what the plan's document lacks, and puts the results into it and at once into the journal, if there is one. Whoever has room, here
/// or in another process, makes the most expensive run that nobody has begun; where one of the processes fails, no more are begun.
/// Blocks until all is done or given up. `finish` is called once at the end, while nobody touches the document; where runs are abandoned, before their threads
/// may go on.
void run_sweep(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, SweepWatcher* watcher,
               const std::function<void(const SweepEnd&)>& finish);

// What the processes of a spread sweep do whose rank is not 0. Rank 0 runs the sweep and has them as SweepProcesses.

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
