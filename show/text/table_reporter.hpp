// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "show/free_messages.hpp"
#include "show/reporter.hpp"
#include "show/text/table.hpp"

namespace heddle {

/// A table as nccl-tests prints it, one row per algorithm as soon as it has run; a twin (lab/describe/equal_runs.hpp) of one before it
/// has no row but a line with both names. Lines that begin with # are about the run: what was called, which is the same in
/// every row, and what the table has no room for.
class TableReporter : public Reporter {
 public:
  static constexpr std::size_t kUsualWidth = 100;
  /// All columns, and lines as long as they are.
  static constexpr std::size_t kWide = std::numeric_limits<std::size_t>::max();

  /// Lines of at most `columns` letters, if names are not longer than that by themselves. `out` outlives this.
  explicit TableReporter(std::ostream& out, std::size_t columns = kUsualWidth) : out_(out), columns_(columns) {}

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void add_stopped(const Setup& plan, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const Setup& plan) override;

 private:
  void write_call(const Setup& plan);
  /// The name of an algorithm before it that it is a twin of; empty: of none, or it was not measured under the virtual clock.
  std::string twin_of(const Outcome& outcome);
  /// Which faults changed nothing; those that adaptive routing went round are said of all rows together.
  std::string fault_lines(const std::string& name, const Report& report);
  /// Of lines that begin with #.
  void write_comments(std::string_view lines);

  std::ostream& out_;
  std::size_t columns_;
  std::optional<Table> table_;
  Twins twins_;
  std::vector<RunInBrief> in_brief_;  ///< of what is right, under the virtual clock, and not computed by switches
  std::vector<std::string> gone_round_;
  int right_ = 0;
  int failed_ = 0;
  int stopped_ = 0;
};

}  // namespace heddle
