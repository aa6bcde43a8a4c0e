// SPDX-License-Identifier: Apache-2.0
// The other processes of a spread sweep, as rank 0 has them: who has room for which run. They are in serve_sweep.
#pragma once

#include <set>
#include <vector>

#include "core/units.hpp"
#include "lab/network/process_messages.hpp"
#include "lab/sweep/run/sweep_messages.hpp"
#include "lab/sweep/sweep_plan.hpp"

namespace heddle {

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
