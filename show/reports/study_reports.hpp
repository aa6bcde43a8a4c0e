// SPDX-License-Identifier: Apache-2.0
// What studies came to, for people and for scripts.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "lab/studies/traffic.hpp"
#include "show/document/table.hpp"
#include "lab/studies/credits_study.hpp"

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

}  // namespace heddle
