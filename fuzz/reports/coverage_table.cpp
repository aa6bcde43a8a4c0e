// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/coverage_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "show/document/table.hpp"

namespace heddle {

namespace {

using CoverageLine = std::vector<std::string>;

/// A line for each collective with the number of its rows, and of those with a case of each kind.
std::vector<CoverageLine> lines_by_collective(const FuzzCoverage& coverage) {
  struct Counts {
    std::int64_t rows = 0;
    FuzzCoverage::CountByKind covered = {};
  };
  std::map<Collective, Counts> counts;
  for (const auto& [row, cases] : coverage.rows()) {
    Counts& of = counts[row.first];
    ++of.rows;
    for (std::size_t kind = 0; kind < kRankKinds; ++kind) of.covered[kind] += cases[kind] > 0 ? 1 : 0;
  }
  std::vector<CoverageLine> lines;
  for (const auto& [collective, of] : counts) {
    lines.push_back({to_string(collective), std::to_string(of.rows)});
    for (const std::int64_t covered : of.covered) lines.back().push_back(std::to_string(covered));
  }
  return lines;
}

std::vector<CoverageLine> lines_by_row(const FuzzCoverage& coverage) {
  std::vector<CoverageLine> lines;
  for (const auto& [row, cases] : coverage.rows()) {
    lines.push_back({fmt::format("{} {}", to_string(row.first), row.second),
                     std::to_string(std::accumulate(cases.begin(), cases.end(), std::int64_t{0}))});
    for (const std::int64_t count : cases) lines.back().push_back(std::to_string(count));
  }
  return lines;
}

}  // namespace

std::string coverage_table(const FuzzCoverage& coverage, bool by_row) {
  std::vector<Table::Column> columns = {{by_row ? "row" : "rows run on p of", "", Table::Align::left},
                                        {by_row ? "cases" : "rows", ""}};
  for (std::size_t kind = 0; kind < kRankKinds; ++kind)
    columns.push_back({std::string(to_string(static_cast<RankKind>(kind))), ""});
  Table table(columns);
  const std::vector<CoverageLine> lines = by_row ? lines_by_row(coverage) : lines_by_collective(coverage);
  for (const CoverageLine& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) table.fit(column, line[column]);
  }
  std::string text = "# " + table.titles() + '\n';
  for (const CoverageLine& line : lines) text += "  " + table.row(line) + '\n';
  return text;
}

}  // namespace heddle
