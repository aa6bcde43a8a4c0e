// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>

#include "cli/reporter.hpp"
#include "cli/table.hpp"

namespace heddle {

/// A table as nccl-tests prints it, one row per algorithm as soon as it has run. Lines that begin with # are about the run.
class TableReporter : public Reporter {
 public:
  /// `out` outlives this.
  explicit TableReporter(std::ostream& out) : out_(out) {}

  void begin(const RunPlan& plan) override;
  void add(const RunPlan& plan, const RunOutcome& outcome) override;
  void add_stopped(const RunPlan& plan, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const RunPlan& plan) override;

 private:
  std::ostream& out_;
  std::optional<Table> table_;
  int right_ = 0;
  int failed_ = 0;
  int stopped_ = 0;
};

}  // namespace heddle
