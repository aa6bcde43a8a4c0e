// SPDX-License-Identifier: Apache-2.0
// The traffic columns of Tables 3 and 4 beside what the recorded jobs of the same machines show.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "claims/bine/bine_jobs.hpp"

namespace heddle::claims {

namespace {

struct TableRow {
  AlgorithmPair pair;
  double average;  ///< per cent, printed
  double most;
  int most_nodes;  ///< of the paper's runs
};

/// The jobs that meet a table's conditions.
struct TrafficTable {
  std::string selection;
  int most_nodes;  ///< of such jobs
  std::vector<TableRow> rows;
};

constexpr double kPercentPoints = 5;

/// Mean and largest of the jobs' medians at each number of nodes. The paper's own runs are one placement for each, which it does
/// not name: other jobs can agree with its figures, but not refute them.
Finding table_row(const TrafficTable& table, const TableRow& row) {
  const int most_nodes = std::min(row.most_nodes, table.most_nodes);
  std::vector<double> medians;
  std::vector<double> largest;
  for (const auto& [nodes, savings] : job_savings(row.pair, table.selection, 16, most_nodes)) {
    medians.push_back(percent_value(quartiles_of(savings).median));
    largest.push_back(percent_value(quartiles_of(savings).most));
  }
  double mean = 0;
  for (const double median : medians) mean += median / static_cast<double>(medians.size());
  const double most = *std::ranges::max_element(medians);
  const bool is_near = std::abs(mean - row.average) <= kPercentPoints && std::abs(most - row.most) <= kPercentPoints;
  const std::string beyond = row.most_nodes > most_nodes
                                 ? fmt::format(" Runs on {} to {} nodes are among the paper's; such jobs are not recorded.",
                                               2 * most_nodes, row.most_nodes)
                                 : "";
  Finding finding = compare_words(
      fmt::format("{}: {} against {}", to_string(row.pair.collective), row.pair.bine, row.pair.baseline),
      fmt::format("{:.0f} % / {:.0f} %", row.average, row.most), fmt::format("{:.0f} % / {:.0f} %", mean, most), false,
      job_command(row.pair, table.selection, 16, most_nodes),
      untested(
          fmt::format("Medians of recorded jobs on 16 to {} nodes: {:.1f} %; the largest of a job: {:.1f} %. The table has one "
                      "placement for each number of nodes, which is not published: of other jobs no figure refutes it.{}",
                      most_nodes, fmt::join(medians, ", "), fmt::join(largest, ", "), beyond)));
  if (is_near) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} percentage points", kPercentPoints);
    finding.why = fmt::format("Mean and largest of the medians of recorded jobs at each number of nodes.{}", beyond);
  }
  return finding;
}

std::vector<Finding> check_table(const TrafficTable& table) {
  std::vector<Finding> findings;
  for (const TableRow& row : table.rows) findings.push_back(table_row(table, row));
  return findings;
}

AlgorithmPair large_broadcast() {
  return {Collective::broadcast, "scatter_allgather:allgather=doubling", "bine_scatter_allgather"};
}
AlgorithmPair alltoall() { return {Collective::alltoall, "bruck", "bine"}; }

/// LUMI-G, up to 1,024 nodes, one to 21 groups (a job in one group has no traffic between groups).
std::vector<Finding> check_table_3(Lab&) {
  return check_table({.selection = "lumi,on=100-123,groups=2-21",
                      .most_nodes = 1024,
                      .rows = {{tracers_pair(), 11, 20, 1024},
                               {alltoall(), 15, 20, 1024},
                               {large_broadcast(), 88, 94, 1024},
                               {{Collective::gather, "binomial", "bine"}, 9, 25, 1024},
                               {{Collective::scatter, "binomial", "bine"}, 9, 25, 1024}}});
}

/// 3 to 20 groups; up to 256 nodes but for allreduce and allgather.
std::vector<Finding> check_table_4(Lab&) {
  return check_table({.selection = "leonardo,groups=3-20",
                      .most_nodes = 256,
                      .rows = {{tracers_pair(), 19, 26, 2048},
                               {alltoall(), 15, 15, 256},
                               {large_broadcast(), 89, 92, 256},
                               {{Collective::gather, "binomial", "bine"}, 12, 20, 256},
                               {{Collective::scatter, "binomial", "bine"}, 12, 20, 256}}});
}

}  // namespace

std::vector<Claim> bine_table_claims() {
  return {
      {.name = "bine/table-3-traffic",
       .section = "§5.1.1, Table 3",
       .statement = "LUMI-G, 16 to 1,024 nodes in up to 21 groups: average and largest saving between groups, against "
                    "binomial algorithms. Here of recorded jobs.",
       .check = check_table_3},
      {.name = "bine/table-4-traffic",
       .section = "§5.2.1, Table 4",
       .statement = "Leonardo, 16 to 256 nodes (allreduce: to 2,048) in 3 to 20 groups: the same. Here of recorded jobs, up to "
                    "256 nodes.",
       .check = check_table_4}};
}

}  // namespace heddle::claims
