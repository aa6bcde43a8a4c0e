// SPDX-License-Identifier: Apache-2.0
// A sweep for people and for spreadsheets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"

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

}  // namespace heddle
