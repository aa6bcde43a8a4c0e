// SPDX-License-Identifier: Apache-2.0
// Studies of traffic between groups as a table and as JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "lab/studies/traffic.hpp"
#include "show/text/table.hpp"

namespace heddle {

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
