// SPDX-License-Identifier: Apache-2.0
// A sweep for people and for spreadsheets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "lab/sweep/sweep_result.hpp"

namespace heddle {

/// For people: one table of the times of all algorithms at all sizes, with a column for each axis in which fabrics differ; one of
/// the best of each fabric and size with its bandwidths and how far the next is behind; where the best changes; then what was left
/// out, failed or was not run. Where runs of a size are missing, or the document is a part of a sweep, nobody is the best. No line is
/// longer than 128 columns unless a name is; on a terminal of so many `columns` none is longer than that unless names are, and
/// columns are left out for it. The same values as in CSV and JSON.
std::string table_text_of(const SweepDocument& document, std::optional<std::size_t> columns = std::nullopt);

/// A line of titles, then one row per run with its whole context, so that rows of several files may be mixed. `status` is ok,
/// the kind of check that failed, or not_run. An axis of the sweep is a column: algorithm, topology, preset, bandwidth, latency,
/// fault, placement, ranks, bytes. Empty: a value that there is not. Tiers of links are parted by semicolons; inf is
/// an unlimited bandwidth. RFC 4180, but for lines that end as elsewhere on the system.
std::string csv_text_of(const SweepDocument& document);

// Which results stand on which line of a sweep's table. Pure.

/// Algorithms that were equivalent (lab/describe/equal_runs.hpp) wherever they were measured; most lines are of one.
struct SweepLine {
  std::vector<std::string> names;
  std::vector<const SweepResult*> results;  ///< of the first of them, by size; nullptr where it was left out
};

/// Of one fabric's results, which outlive the lines, in the order in which algorithms come. `by_row`: of a row's variants
/// `results` has one at each size, and the line has the row's name.
std::vector<SweepLine> sweep_lines(std::span<const SweepResult> results, std::span<const std::int64_t> sizes, bool by_row);

// A sweep's results as its table shows them: the fabrics one below the other, each with its values on the axes in which they
// differ.

/// One fabric's.
struct SweepSection {
  const nlohmann::ordered_json* fabric = nullptr;  ///< its member of context.fabrics
  std::vector<std::string> values = {};            ///< by axis of the table; none where there is one fabric alone
  std::vector<SweepResult> results = {};
  std::vector<SweepResult> shown = {};  ///< the results, or of a tuned sweep the best of each row
  std::vector<SweepLine> lines = {};    ///< of what is shown
  std::set<std::int64_t> open = {};     ///< sizes with runs that are missing: nobody knows the best; of a part of a sweep all
};

struct SweepTable {
  std::vector<std::string> axes = {};  ///< in which the fabrics differ
  std::vector<std::int64_t> sizes = {};
  std::vector<SweepSection> sections = {};   ///< those with runs, in the order of the sweep
  std::map<int, double> ratio_to_base = {};  ///< by number of the run
  bool has_base = false;
};

/// The best of what the section shows at this size; nullptr: there is none, or it is not known.
const SweepResult* best_at(const SweepSection& section, std::int64_t bytes);

/// The document outlives it.
SweepTable sweep_table_of(const SweepDocument& document);

/// A line for each fabric and algorithm with its time at each size, * the best of its fabric and size, and the ratio to the base
/// if there is one: as many sizes beside each other as fit into `width` columns, the others below.
std::string times_text(const SweepTable& table, std::size_t width);

/// How equivalent algorithms are called on these lines.
std::string line_name(const SweepLine& line);

/// How far times lie apart over the seeds of ECMP: a line for each result that has a spread, with least and most, median and
/// quartiles. Empty: none has one.
std::string seeds_text(const SweepTable& table, std::size_t width, bool is_terminal);

/// A line for each fabric and size: the best, its bandwidths, and how far the next is behind that does not do the same; below
/// them names that they have no room for, in comments of at most `width` columns. On a terminal of that width, columns that it has
/// no room for are left out.
std::string bests_text(const SweepTable& table, std::size_t width, bool is_terminal);

}  // namespace heddle
