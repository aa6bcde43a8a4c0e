// SPDX-License-Identifier: Apache-2.0
// One run of a sweep, and the processes of a spread sweep that make runs.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/processes.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/sweep/sweep.hpp"
#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// `planned` with what the run found. Blocks as long as the run takes; throws what it throws.
SweepResult make_run(const PlannedRun& run, const std::function<Outcome(const Setup&, const Algorithm&)>& function,
                     SweepResult planned);

/// Why no further run is made.
struct SweepStop {
  std::string text;         ///< one line
  bool is_refused = false;  ///< by an InputError, or for want of memory: more than the system has was asked for
};

/// What a run, the journal or the network has thrown.
SweepStop stop_of(const std::exception_ptr& failure);

// What the processes of a spread sweep say to each other, as texts: one JSON object each.
//
//   rank 0 to each   which sweep it is, once; then, one by one, runs; at last that there is no more
//   each to rank 0   that it has planned the same sweep, or why not; then an answer for each run

/// Which sweep it is.
struct SweepCall {
  std::vector<std::string> words;  ///< of the command
  std::optional<Shard> shard;      ///< whatever the words say
};

/// What a process has to say before the first run.
struct SweepOffer {
  std::string refusal;  ///< why it cannot; empty: it can
  std::string plan;     ///< plan_checksum_of its plan
  int workers = 1;      ///< how many runs at once
  Bytes memory;         ///< for all of these
};

/// How a run went.
struct SweepAnswer {
  std::size_t run = 0;                ///< PlannedRun::run
  double seconds = 0;                 ///< that it took
  std::optional<SweepResult> result;  ///< none: `stop` says why
  SweepStop stop;
};

/// The same for plans of the same runs on the same fabrics by the same version.
std::string plan_checksum_of(const SweepDocument& document);

std::string text_of(const SweepOffer& offer);

// The other processes of a spread sweep, as rank 0 has them: who has room for which run. They are in serve_sweep.

/// One thread uses it. Throws Error that names the rank where a process or the network fails; after that it says nothing more.
class SweepProcesses {
 public:
  /// `messages` outlives it; nobody else uses them.
  explicit SweepProcesses(ProcessMessages& messages);
  SweepProcesses(const SweepProcesses&) = delete;
  SweepProcesses& operator=(const SweepProcesses&) = delete;
  /// Tells all that there is no more, and blocks until they have heard it. Not after a failure.
  ~SweepProcesses();

  /// With this one.
  int processes_here() const { return messages_.processes_here(); }

  /// Says which sweep it is. Once.
  void begin(const SweepCall& call);
  /// Blocks until all have planned it. Throws InputError that names the rank that refuses, or has another plan.
  void agree(const SweepPlan& plan);

  /// How many runs all of them make at once.
  int workers() const;
  /// How many they are making.
  int under_way() const;
  /// Whether one of them could begin another run, of any size. Not before agree().
  bool have_room() const;
  /// The first that has room for the run makes it. False: none has. What needs more memory than a process has runs there alone.
  bool give(const PlannedRun& run);
  /// What they have answered since. Returns at once.
  std::vector<SweepAnswer> answers();

 private:
  struct Process {
    int rank = 0;
    SweepOffer offer = {};
    Bytes used = {};
    std::set<std::size_t> runs = {};  ///< that it is making
  };

  /// All calls of messages_ go through it: after a failure there are none.
  template <class Call>
  auto saying(const Call& call);
  void note_offer(const ProcessMessages::Received& message, const std::string& plan);
  Process& process_of(int rank) { return processes_[static_cast<std::size_t>(rank) - 1]; }

  ProcessMessages& messages_;
  std::vector<Process> processes_;  ///< by rank, from 1
  const SweepPlan* plan_ = nullptr;
  bool has_failed_ = false;
};

}  // namespace heddle
