// SPDX-License-Identifier: Apache-2.0
// A run as a table, and the lines around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/document/reporter.hpp"
#include "show/document/table.hpp"

namespace heddle {

// Where messages cost nothing to start, an algorithm that sends all at once wins for no other reason.

/// What is asked of a run whose result is right.
struct RunInBrief {
  std::string algorithm;
  Time time;
  Time startup;  ///< part of it, along the critical path: α and overheads
  int rounds = 0;
  std::int64_t messages = 0;
};

/// Of runs of one call on so many ranks: a line that begins with "# hint: ", if the fastest needs one round of at least ranks − 1
/// messages, others need more rounds, and no message costs anything to start; else nothing.
std::string free_messages_hint(std::span<const RunInBrief> runs, int ranks);

// What is said of a run's faults below its table.

/// A line for faults of links that adaptive routing has others beside (Report::faults_gone_round); empty: there are none.
std::string gone_round_text(const std::vector<std::string>& faults);

// What the table says of groups and of what else is on the fabric: lines that begin with #, around the rows.

/// "12.345" and "6.51": as a row's time and bandwidths; "-" for a bandwidth that has no number.
std::string microseconds(Time time);
std::string gigabytes_per_second(std::optional<double> rate);

/// Below a row: when each group was done, how long it takes alone, and what that amounts to; sets of different names apart.
std::string group_lines(const Setup& setup, const Outcome& outcome);

/// Below a row of a run that is skewed, or has given counts: the link that carried most, beside the mean of those that carried anything.
std::string hottest_link_line(const Setup& setup, const Report& report);

/// Above the rows, of a run with background flows.
std::string background_line(const Setup& setup);

/// A table as nccl-tests prints it, one row per algorithm as soon as it has run; one that is equivalent (lab/describe/equal_runs.hpp) to one before it
/// has no row but a line with both names. Lines that begin with # are about the run: what was called, which is the same in
/// every row, and what the table has no room for.
class TableReporter : public Reporter {
 public:
  static constexpr std::size_t kUsualWidth = 100;
  /// All columns, and lines as long as they are.
  static constexpr std::size_t kWide = std::numeric_limits<std::size_t>::max();

  /// Lines of at most `columns` letters, if names are not longer than that by themselves. `out` outlives this.
  explicit TableReporter(std::ostream& out, std::size_t columns = kUsualWidth) : out_(out), columns_(columns) {}

  void begin(const Setup& setup) override;
  void add(const Setup& setup, const Outcome& outcome) override;
  void add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const Setup& setup) override;

 private:
  void write_call(const Setup& setup);
  /// The name of an algorithm before it that it is equivalent to; empty: to none, or it was not measured under the virtual clock.
  std::string equivalent_of(const Outcome& outcome);
  /// Which faults changed nothing; those that adaptive routing went round are said of all rows together.
  std::string fault_lines(const std::string& name, const Report& report);
  /// Of lines that begin with #.
  void write_comments(std::string_view lines);

  std::ostream& out_;
  std::size_t columns_;
  std::optional<Table> table_;
  EquivalentRuns equivalents_;
  std::vector<RunInBrief> in_brief_;  ///< of what is right, under the virtual clock, and not computed by switches
  std::vector<std::string> gone_round_;
  int right_ = 0;
  int failed_ = 0;
  int stopped_ = 0;
};

}  // namespace heddle
