// SPDX-License-Identifier: Apache-2.0
// What studies came to, for people and for scripts.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/results/comparison.hpp"
#include "lab/results/fabric_fit.hpp"
#include "lab/studies/credits_study.hpp"
#include "lab/studies/traffic.hpp"
#include "show/document/table.hpp"

namespace heddle {

// What searches for the least credits came to, for people and for scripts.

/// A row for each search; with `explain`, below it the deadlock just below the safe count.
/// A table of at most so many columns, if what it needs is not wider.
void print_credits(const CreditsStudy& study, bool explain, std::size_t columns, std::ostream& out);

/// One object: `context` (as heddle run's, with the topology and the ranks as asked for), `runs` (each with what was found, or
/// with `error`), `left_out`. Nothing of the host.
std::string json_of_credits(const CreditsStudy& study);

// Studies of traffic between groups as a table and as JSON.

/// A row for each algorithm at each number of ranks, with a box plot of how much less than the first it sends. Rows can be printed
/// as studies end.
class TrafficTable {
 public:
  /// Of at most so many columns, if what it needs is not wider.
  TrafficTable(const TrafficPlan& plan, std::size_t columns);

  /// What stands above the rows.
  const std::string& head() const { return head_; }
  /// The rows of one of the plan's studies, each with a line feed.
  std::string lines_of(const TrafficStudy& study) const;

 private:
  std::vector<Algorithm> algorithms_;
  Table table_;
  std::string head_;
};

/// One object, with a newline: `context` (version, collective, what is counted over), `studies` (by number of ranks). What is less is a part
/// of the baseline's, and null where no placement tells.
std::string json_of_traffic(const TrafficPlan& plan, std::span<const TrafficStudy> studies);

// A fabric's speeds that were found from measured runs, for people, for scripts, and as a preset.

/// The parameters, a row for each run, and how well runs are predicted that were not fitted. `topology` is as asked for.
void print_fit(const FabricFit& fit, const std::string& topology, std::ostream& out);

/// One object: `context`, `parameters` (null: not determined) with their `standard_errors` as parts of them, `runs`, and of the
/// runs `fitted` and `predicted` how far off emulated times are, as parts of the measured. Nothing of the host.
std::string json_of_fit(const FabricFit& fit, const std::string& topology);

/// A preset's file (topo/presets/preset_file.hpp), whose summary says where it comes from.
std::string preset_of_fit(const FabricFit& fit, const std::string& topology);

// Two files of results compared, as a table and as JSON.

/// For people: what the files have in common and what not, a line for each cell that is not as it was, and how many are. Lines of the head are
/// at most 100 columns long.
std::string comparison_text(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

/// One object, with a newline: `context` (version, tolerance, both files, what all cells have in common and what is not the same), how many
/// cells are `matched` and `unchanged`, how many there are of each change, `is_worse`, and `differences`: cells by their names, `old_s` and
/// `new_s` (null: not measured), `slowdown` (a part of the old time, or null) and `failure` (a kind of check, or null).
std::string comparison_json(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

}  // namespace heddle
