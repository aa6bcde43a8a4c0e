// SPDX-License-Identifier: Apache-2.0
// Draws calls of algorithms, runs each with all checks, and makes what fails as small as it goes (docs/fuzzing.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/cases/draw_case.hpp"
#include "fuzz/cases/run_case.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// A case that was kept: its text, and what it is called in reports ("line 3 of cases.txt").
struct SavedCase {
  std::string text;
  std::string name;
};

struct FuzzSettings {
  std::uint64_t seed = 1;
  /// What is to be fuzzed: rows of one's own, or heddle's. Not empty.
  std::vector<Algorithm> rows = registry_copy();
  std::int64_t cases = 1000;  ///< at most; ≥ 0
  /// No further case is begun after this time.
  std::optional<std::chrono::duration<double>> time = {};
  int most_ranks = 64;  ///< ≥ 1
  DrawOnly only = {};   ///< what is given and not drawn; rows that serve nothing of it are left out
  /// One case in so many has faults (docs/faults.md); 1: each; 0: none.
  int fault_once_in = 0;
  /// One case in so many is large: up to 70,000 elements, or up to `most_large_ranks` ranks (docs/fuzzing.md); 1: each; 0: none.
  int large_once_in = 0;
  /// One case in so many has a count beyond 31 or 32 bits, and is followed without data; 0: none, and none where less than 4.
  int positions_once_in = 0;
  int most_large_ranks = 256;
  int workers = 0;  ///< that run cases at once; 0: one for each core
  /// Cases run in child processes, and nothing that they do touches this one: what ends a process or goes on for ever is a
  /// finding. Else in threads of this process, which it then ends. No other thread may run when fuzz() is called.
  bool in_processes = false;
  /// In processes: a case that takes longer is judged by smaller ones of its row: it is endless, or slow and given up.
  std::chrono::duration<double> case_limit = std::chrono::seconds(60);
  /// One case in so many is run twice and must go the same way both times; 1: each; 0: none.
  int twice_once_in = 0;
  /// One in so many cases with an order of their own, whose result rounds, is run in the usual order as well and must come to the
  /// same bits; 1: each.
  int compared_once_in = 1;
  std::optional<Bytes> stack = {};  ///< of each task; no value: as usual
  /// Run before any is drawn, each twice; those of other rows than `rows` are not.
  std::vector<SavedCase> saved = {};
  /// Go on after a failure: each row's first failure of each kind is a finding, unless it shrinks to the same case as another.
  bool keep_going = false;
  /// A call that a function refuses, by an error code that all ranks return without a message, is a failure. Else it is counted.
  bool strict = false;
  /// If set, each case is run under many orders, not under one: `cases`, `most_ranks` and `shrink_attempts` should be small.
  std::optional<ExploreBound> explore = {};
  int shrink_attempts = 1000;             ///< runs that one finding may cost to be made smaller
  std::uint64_t shrink_work = 8'000'000;  ///< and what they may do (ShrinkBudget::work)
  /// And the time. With one, the same seed may find smaller cases on another machine; the finding says so where the time has ended it.
  std::optional<std::chrono::duration<double>> shrink_time = {};
  /// Asked before each case, from any worker, and, in processes, while they run; after it says true no further one is begun, and
  /// those that go on for half a second more are given up.
  std::function<bool()> is_stopped = nullptr;
  /// Called when a drawn case has ended, from any worker.
  std::function<void()> ended_one = nullptr;
};

/// A case that failed, and the smallest that still does.
struct FuzzFinding {
  std::uint64_t index = 0;    ///< of the drawn case
  std::string saved_as = {};  ///< not drawn, but kept under this name
  Experiment drawn = {};
  Experiment smallest = {};
  Failure failure = {};  ///< of the smallest
  int shrink_attempts = 0;
  std::string shrunk_until = {};  ///< why there were no more, as in "until its 10 s were over"; empty: no simpler case fails so
  /// Not drawn, but met when a case with such a failure was made smaller, or run alone.
  std::optional<CheckError::Kind> met_in = {};
  bool is_own = false;  ///< of a row that the registry has not
  /// The smallest was run once more, in processes in one of its own. Empty: it failed again. Else what that depends on, as far as
  /// it is known, and the drawn case is the smallest.
  std::string depends_on = {};
  std::int64_t repeats = 0;  ///< later cases of the same row that failed in the same way
};

/// Whether only who watches a case's process can see it: the process has ended or goes on for ever, or the case does not repeat.
bool is_seen_from_outside(CheckError::Kind kind);
/// Whether `heddle run` looks for it as fuzzing does. Not for what a row promises, nor in whole inputs whenever a rank blocks.
bool is_seen_by_run(CheckError::Kind kind);

/// A case that had not ended in time, and of which nothing shows that it never would.
struct SlowCase {
  std::uint64_t index = 0;
  Experiment what;
  std::string words;  ///< how far it was
};

struct FuzzOutcome {
  std::uint64_t seed = 0;
  std::vector<FuzzFinding> findings = {};  ///< of saved cases, then by index
  std::int64_t saved_right = 0;            ///< saved cases that were right
  /// Drawn cases that failed, by kind; without `keep_going` the first.
  std::map<CheckError::Kind, std::int64_t> failed = {};
  std::int64_t slow = 0;                   ///< cases that were given up
  std::int64_t refused = 0;                ///< cases that the function refused
  std::vector<SlowCase> first_slow = {};   ///< the first of each row
  FuzzCoverage coverage = {};              ///< of all cases up to the last
  std::vector<std::string> notes = {};     ///< of rows whose cases were right, the first of each
  std::vector<std::string> left_out = {};  ///< rows that serve nothing of what is given: "allreduce bucket"
  FaultCounts faults = {};                 ///< of those with faults that did not fail
  double seconds = 0;                      ///< the host's, of running cases
  std::vector<Experiment> given_up = {};   ///< that ran when it was stopped
  std::string refusal = {};                ///< what the system refused, so that it ended early; empty: nothing

  bool passed() const { return findings.empty(); }
  /// What a test prints: each finding explained, with the line that repeats it; or "1000 cases right".
  std::string text() const;
};

/// Runs cases 0, 1, 2, … of the seed on `workers` threads or in as many processes until there are enough, the time is over, or
/// one has failed; then shrinks. Findings and coverage are the same for any number of workers where `cases` is the limit: the
/// finding is that with the lowest index of all failing cases. Blocks. Throws InputError for settings out of range, a row without
/// a function, rows of one name, or a row that serves nothing drawn for it.
FuzzOutcome fuzz(const FuzzSettings& settings);

/// One case of rows `what.own` in a process of its own, twice: nothing that it does touches this one. If it has not ended in time, smaller
/// ones are run to judge it by. `output` gets what it writes. No value: stopped. Throws InputError for what cannot be.
std::optional<CaseEnd> end_in_process(const Experiment& what, std::chrono::duration<double> case_limit,
                                      const std::function<bool()>& is_stopped, std::string& output);

/// As a literal of C++, with its quotes.
std::string cpp_string(std::string_view text);

/// How to repeat it, without the word: as to_text() has it.
std::string repeating_line(const FuzzFinding& finding, std::uint64_t seed, std::string_view command = "");

/// A finding as the lines of a report: what failed, explained; how it was drawn; `command` and the case that repeats it
/// ("heddle run", "heddle fuzz --plugin libmine.so --case", which gets quotes). Without a command: heddle's own, of a row that heddle has; of
/// a row of the caller's own, the settings of fuzz() that repeat it there.
std::string to_text(const FuzzFinding& finding, std::uint64_t seed, std::string_view command = "");

// How `heddle fuzz` fuzzes unless it is told otherwise.

/// The numbers, for those who say them.
struct UsualFuzzing {
  static constexpr std::int64_t kCases = 10'000;
  static constexpr int kMostRanks = 64;
  static constexpr int kFaultOnceIn = 16;
  static constexpr int kTwiceOnceIn = 16;    ///< of plugins: heddle's own have no state
  static constexpr int kComparedOnceIn = 8;  ///< of heddle's own rows: each would cost a tenth of the time
  // Large cases take a hundred times as long as others. Rows of a plugin are few, and each has some within seconds.
  static constexpr int kLargeOnceIn = 512;
  static constexpr int kLargeOnceInOfPlugins = 64;
  static constexpr int kPositionsOnceIn = 1024;  ///< of heddle's own rows; of plugins as often as large ones
  static constexpr int kMostLargeRanks = 256;

  // Of cases that are explored, each of which is many runs.
  static constexpr std::int64_t kExploredCases = 200;
  static constexpr int kExploredRanks = 6;
  static constexpr std::int64_t kMostOrders = 1000;  ///< of a case
  static constexpr std::int64_t kOrderSeeds = 20;
  static constexpr int kExploredShrinking = 200;
};

/// Of heddle's own rows or of plugins', whose state and bits are looked at more closely. `delays`: of ranks and messages in the orders of
/// events under which each case is explored; no value: each case is run in one order.
FuzzSettings usual_settings(bool of_plugins, std::optional<int> delays);

// Which rows are fuzzed: heddle's or plugins', by collective, name and tag.

struct FuzzedEntries {
  std::string collective = "all";
  std::string algorithms = "all";         ///< or names with commas, schedules' files ("msccl:ring.xml") among them
  std::optional<std::string> tags = {};   ///< with commas: rows that have one of them (tags_of)
  std::vector<std::string> plugins = {};  ///< libraries whose rows are fuzzed in place of heddle's own
};

/// Plugins are loaded in a process of its own first, which must end within `limit`: what a library does when it is loaded is the user's
/// as well. No other thread may run then. Throws InputError that names the flag of `heddle fuzz`.
std::vector<Algorithm> fuzzed_entries(const FuzzedEntries& which,
                                      std::chrono::duration<double> limit = std::chrono::seconds(60));

}  // namespace heddle
