// SPDX-License-Identifier: Apache-2.0
// A workload, run and checked, and what came of it: one algorithm of a setup, or anything else that ranks can do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/record/report.hpp"
#include "emu/record/run_sample.hpp"
#include "emu/record/timeline.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/studies/explore.hpp"
#include "emu/studies/further_runs.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/run/setup.hpp"
#include "mpi/objects/call_counts.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// Beside the report of a run under the wall clock.
struct WallClockOutcome {
  Report virtually;           ///< the same run under the virtual clock
  double lateness = 0;        ///< in seconds, as measured for the dilation; 0 where that was given
  double expected_error = 0;  ///< as a part of the time, with the dilation chosen; 0 where that was given
  /// Of a run in memory: seconds of each iteration, in their order; the report has their median.
  std::vector<double> in_memory = {};
  /// Of a run on a network, the same, and what it is: "Open MPI v4.1.4, 8 processes on 1 machine".
  std::vector<double> over = {};
  std::string network = {};
  /// By how much the measured time differs, as a part of the virtual one. No value where that is 0.
  std::optional<double> error(const Report& measured) const;
};

/// Beside the report of a program.
struct ProgramOutcome {
  int exit_status = 0;
  std::vector<std::string> checks = {};  ///< that it passed
  std::vector<mpi::CountedCalls> calls = {};
  std::vector<std::string> notes = {};  ///< what else is to be said of it
};

/// What came of one algorithm of a run, and all that a view of it needs: a report only if every check passed.
struct Outcome {
  std::shared_ptr<const Algorithm> algorithm;
  std::variant<Report, Failure, RunStopped> result;
  /// What was run: the call, the fabric, the settings. run() hands it over; run_algorithm()'s caller keeps it. None of a program.
  std::shared_ptr<const Setup> setup = {};
  std::vector<Time> group_completion = {};  ///< by group, if the run is one of groups
  /// By group, or of all ranks together, if somebody else is on the fabric; no value for those that did not run alone.
  std::vector<std::optional<Contention>> contention = {};
  /// What happened, if the setup keeps it and the result is right.
  std::shared_ptr<const Timeline> timeline = {};
  /// Some of it, in bounded memory, if the setup keeps that and the result is right.
  std::shared_ptr<const RunSample> sample = {};
  /// If the report is of the wall clock.
  std::optional<WallClockOutcome> wall = {};
  /// If it was checked without data where each element goes.
  std::optional<PositionsCheck> positions = {};
  /// If the setup explores, and no order failed.
  std::optional<Exploration> exploration = {};
  /// If it is of a program that says so.
  std::optional<ProgramOutcome> program = {};
  /// What each call of a function of MPI has left and nobody frees, of one that is right; empty: nothing.
  std::string left_over = {};
  /// If the setup asks for the worst link, and the run with its fault is right.
  std::optional<WorstLink> worst_link = {};

  const Report* report() const { return std::get_if<Report>(&result); }
  const Failure* failure() const { return std::get_if<Failure>(&result); }
  const RunStopped* stopped() const { return std::get_if<RunStopped>(&result); }
};

/// The setup outlives it.
Outcome outcome_with(const Setup& setup, const Algorithm& algorithm, std::variant<Report, Failure, RunStopped> result);

/// nccl-tests' two bandwidths (PERFORMANCE.md), in bytes per second. No value where no time passed (one rank,
/// unlimited links), and for a barrier.
struct Rates {
  std::optional<double> algbw;  ///< bytes of the vector over time
  std::optional<double> busbw;  ///< algbw times bus_bandwidth_factor
};
/// Of a call that took so long, made by so many ranks.
Rates rates_of(const Setup& setup, Time completion, int ranks);
/// Of a run. In groups: of the slowest one; groups of different sizes have no common factor, hence no busbw.
Rates rates_of(const Setup& setup, const Report& report);

/// The faults of links that the run had: the setup's, and the worst one's that was found.
std::vector<LinkFault> link_faults_of(const Outcome& outcome);

/// The most messages that were in any one link at once.
int peak_flows(const Report& report);

/// The calls of all groups of a setup at once, by one algorithm. Not for several threads at once. The setup outlives it.
struct CallOfGroups {
  CallOfGroups(const Setup& its_setup, const Algorithm& algorithm);
  CallOfGroups(const CallOfGroups&) = delete;
  CallOfGroups& operator=(const CallOfGroups&) = delete;

  /// Checked, and held against the usual order of events.
  GroupsReport run(const EmulationSettings& settings);

  const Setup& setup;
  const std::vector<std::vector<int>> groups;
  const std::vector<CollectiveCall> calls;  ///< by group
  RunToRun usual;
};

/// Blocks until it is done. A check that fails is an outcome; throws InputError for a call that cannot be made. Setups may be
/// run side by side on several threads.
Outcome run_algorithm(const Setup& setup, const Algorithm& algorithm);

/// A program on ranks.
struct ProgramSpec {
  RankFunction run;              ///< once on each rank; called anew for each run that is made
  std::string name = "program";  ///< for messages
  /// Called once all ranks have returned, on the thread that began the run: throws CheckError if what they did is wrong. nullptr: of each run it
  /// is checked what emulate() looks at, and nothing else is known to be right.
  std::function<void()> check = nullptr;
  std::function<void()> begin = nullptr;  ///< before each run, on the thread that begins it
  /// Makes a run of an exploration by calling `run` at least once, under the order given: it may hold what comes out against other runs, and
  /// throw CheckError. nullptr: the run is made, and no more.
  std::function<void(const FailingOrder& order, const std::function<void()>& run)> explored = nullptr;
  /// The command that repeats a run under an order; nullptr: there is none.
  std::function<std::string(const FailingOrder&)> command = nullptr;
};

/// A schedule, in a call of its collective, with the call's data. Which collective and algorithm the call has does not matter.
struct ScheduledCall {
  ScheduleProgram schedule;
  CallSpec call;
};

/// What ranks do: a call of a collective (by all of them, or by groups that may each make another), a program, a schedule.
using WorkloadSpec = std::variant<CallSpec, ProgramSpec, ScheduledCall>;

/// Runs it once, checked. Blocks until it is done. A check that fails is an outcome, whose algorithm is a program's name alone;
/// throws InputError for what cannot be.
Outcome run(const MachineSpec& machine, const WorkloadSpec& workload, const SettingsSpec& settings = {});
/// The same of a program, on a testbed of these settings.
Outcome run(const Testbed& testbed, const ProgramSpec& program, const SettingsSpec& settings);
/// The same of a setup's program, with what the setup keeps of it. The setup outlives the outcome.
Outcome run(const Setup& setup, const ProgramSpec& program);

/// What the algorithm itself knows about a call of it that has failed (Algorithm::explain), as it goes below an explanation; empty:
/// nothing.
std::string known_of(const Algorithm& algorithm, std::optional<int> credits, bool in_place);

/// Where each element of the first group's call goes, by all elements and without data (emu/check/checked_run.hpp). Throws
/// CheckError.
PositionsCheck check_positions(const Setup& setup, const Algorithm& algorithm, const PositionsBound& bound = {});

/// The failure with what the algorithm itself knows about it (Algorithm::explain) below its explanation.
Failure explained(const Setup& setup, const Algorithm& algorithm, Failure failure);

/// What it says of the setup's calls beside their results (Algorithm::remark), of several groups the first; empty: nothing.
std::string remark_on(const Setup& setup, const Algorithm& algorithm);

/// One checked run of it by all groups at once, under these settings and the virtual clock, and nothing else. Blocks until it is
/// done. Throws CheckError; InputError for a call that cannot be made.
GroupsReport run_call(const Setup& setup, const Algorithm& algorithm, const EmulationSettings& settings);

}  // namespace heddle
