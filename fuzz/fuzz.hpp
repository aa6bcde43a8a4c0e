// SPDX-License-Identifier: Apache-2.0
// Draws calls of algorithms, runs each with all checks, and makes what fails as small as it goes (docs/fuzzing.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "fuzz/coverage.hpp"
#include "fuzz/run_case.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle {

struct FuzzSettings {
  std::uint64_t seed = 1;
  /// What is to be fuzzed: rows of one's own, or heddle's. Not empty.
  std::vector<Algorithm> rows = registry_copy();
  std::int64_t cases = 1000;  ///< at most; ≥ 0
  /// No further case is begun after this time.
  std::optional<std::chrono::duration<double>> time = {};
  int most_ranks = 64;  ///< ≥ 1
  /// One case in so many has faults (docs/faults.md); 1: each; 0: none.
  int fault_once_in = 0;
  int workers = 0;  ///< threads that run cases; 0: one for each core
  /// Go on after a failure: each row's first failure of each kind is a finding, unless it shrinks to the same case as another.
  bool keep_going = false;
  /// If set, each case is run under many orders, not under one: `cases`, `most_ranks` and `shrink_attempts` should be small.
  std::optional<ExploreBound> explore = {};
  int shrink_attempts = 1000;  ///< runs that one finding may cost to be made smaller
  /// Asked before each case, from any worker; after it says true no further one is begun.
  std::function<bool()> is_stopped = nullptr;
  /// Told of each case, also while shrinking, by the thread that is about to run it.
  std::function<void(const Experiment&)> is_at = nullptr;
  /// Told when that case has ended, by the same thread.
  std::function<void()> is_idle = nullptr;
};

/// A case that failed, and the smallest that still does.
struct FuzzFinding {
  std::uint64_t index = 0;  ///< of the drawn case
  Experiment drawn;
  Experiment smallest;
  Failure failure;  ///< of the smallest
  int shrink_attempts = 0;
  std::int64_t repeats = 0;  ///< later cases of the same row that failed in the same way
};

struct FuzzOutcome {
  std::uint64_t seed = 0;
  std::vector<FuzzFinding> findings = {};  ///< by index
  FuzzCoverage coverage = {};              ///< of all cases up to the last
  FaultCounts faults = {};                 ///< of those with faults that did not fail
  double seconds = 0;                      ///< the host's, of running cases

  bool passed() const { return findings.empty(); }
  /// What a test prints: each finding explained, with the line that repeats it; or "1000 cases right".
  std::string text() const;
};

/// Runs cases 0, 1, 2, … of the seed on `workers` threads until there are enough, the time is over, or one has failed; then
/// shrinks. Findings and coverage are the same for any number of workers where `cases` is the limit: the finding is that with
/// the lowest index of all failing cases. Blocks. Throws InputError for settings out of range, a row without a function, rows
/// of one name, or a row that serves nothing drawn for it.
FuzzOutcome fuzz(const FuzzSettings& settings);

/// A finding as the lines of a report: what failed, explained; how it was drawn; `command` and the case that repeats it
/// ("heddle run", "heddle fuzz --plugin libmine.so --case", which gets quotes).
std::string to_text(const FuzzFinding& finding, std::uint64_t seed, std::string_view command = "heddle run");

}  // namespace heddle
