// SPDX-License-Identifier: Apache-2.0
// Where the nodes of real jobs were: 4,300 jobs of Leonardo and LUMI, part of the program. Origin and licence: README.md here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct RecordedJob {
  /// Neighbours in rank order that are in one group of the machine.
  struct Run {
    int group;
    int nodes;
  };

  std::string_view system;  ///< "leonardo"
  std::string_view name;    ///< "14075154", the machine's number
  int nodes = 0;
  int groups = 0;  ///< different ones, at least 2
  std::vector<Run> runs;
};

/// "leonardo", "lumi".
std::span<const std::string_view> recorded_systems();

/// All, in the order of the file. Thread-safe; read at the first call.
const std::vector<RecordedJob>& recorded_jobs();

/// "leonardo/14075154". Throws InputError with the nearest name.
const RecordedJob& find_recorded_job(std::string_view text);

/// By rank, the machine's number of its group; one rank per node.
std::vector<int> groups_of_ranks(const RecordedJob& job);

/// Which jobs of a system: "leonardo", "leonardo,groups=3-20", "lumi,on=100-123".
struct JobSelection {
  struct Range {
    int least;
    int most;
  };

  std::string system;
  std::optional<Range> groups = {};  ///< how many it is in
  std::optional<Range> on = {};      ///< the numbers that each of its groups has
};

/// Throws InputError.
JobSelection parse_job_selection(std::string_view text);
bool is_selected(const RecordedJob& job, const JobSelection& selection);

/// jobs.csv without its line of titles; in pieces of whole lines, as compilers limit the length of a literal. Written by CMake.
std::vector<std::string_view> job_lines();

}  // namespace heddle
