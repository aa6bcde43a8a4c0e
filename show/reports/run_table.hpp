// SPDX-License-Identifier: Apache-2.0
// A run as a document: a table with lines around it, and JSON, an interface that scripts rely on. One object:
//
//   context   what was asked for (lab/documents/context.hpp)
//   complete  whether all algorithms that fit have been run to their end: a file is written anew after each
//   runs      one object per algorithm, in order; a failed one has `error` {kind, explanation} in place of what was measured,
//             one that was stopped under the wall clock `stopped`. One that sends the same messages in the same time as one
//             before it names that in `same_messages_as`. `remark`: what else is to be said of the call, if anything
//   left_out  algorithms that do not fit, and why
//
// All of it is the same bytes on every machine except each run's `host`; under the wall clock (context: `clock` "wall")
// times are measured, and each run has `wall_clock`: dilation, wall and virtual time, error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/document/document.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"

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

// The values of a run.

/// The columns that table and JSON share, wide enough for this setup's names; without rows.
Document run_document(const Setup& setup);
/// What a row of its table is made of.
struct RunTexts {
  const Setup* setup;  ///< under whose model
  const Algorithm* algorithm;
  const Report* report = nullptr;             ///< nullptr: the cells of the call alone
  std::optional<double> to_first_model = {};  ///< as TimesToFirstModel has it
};
/// The cells of a row of the table of `table`, in which runs under several models may stand.
std::vector<std::string> texts_of_run(const Setup& table, const RunTexts& run);
/// One of `runs`.
nlohmann::ordered_json json_of_run(const Outcome& outcome, std::optional<double> to_first_model = {});

/// Times under several models, each over that of the same algorithm under the first of them.
class TimesToFirstModel {
 public:
  void begin(const Setup& first) { first_ = &first; }
  /// No value: there is one model alone, or the run or that under the first model is not right or takes no time.
  std::optional<double> add(const Outcome& outcome);

 private:
  const Setup* first_ = nullptr;
  std::map<std::string, Time, std::less<>> times_ = {};  ///< by algorithm
};

// What is said of a run's faults below its table.

/// "a; b and 3 more": the first few of several.
std::string first_of(std::span<const std::string> texts, std::size_t most, std::string_view separator);

/// Of a fault of a link that adaptive routing has others beside (Report::faults_gone_round).
std::string gone_round_text(const std::string& fault);

// What the table says of groups and of what else is on the fabric: lines that begin with #, around the rows.

/// "12.345" and "6.51": as a row's time and bandwidths; "-" for a bandwidth that has no number.
std::string microseconds(Time time);
std::string gigabytes_per_second(std::optional<double> rate);

/// A table as nccl-tests prints it, one row per algorithm as soon as it has run; one that is equivalent (lab/describe/equal_runs.hpp) to one before it
/// has no row but a line with both names. Lines that begin with # are about the run: what was called, which is the same in
/// every row, and what the table has no room for.
class TableReporter : public Reporter {
 public:
  static constexpr std::size_t kUsualWidth = 100;
  /// All columns, and lines as long as they are.
  static constexpr std::size_t kWide = Table::kAnyWidth;

  /// Lines of at most `columns` letters, if names are not longer than that by themselves. `out` outlives this.
  explicit TableReporter(std::ostream& out, std::size_t columns = kUsualWidth) : out_(out), columns_(columns) {}

  void begin(const Setup& setup) override;
  void add(const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  void write_call(const Setup& setup);
  void write_model(const Setup& setup);
  /// The name of an algorithm before it that it is equivalent to; empty: to none, or it was not measured under the virtual clock.
  std::string equivalent_of(const Outcome& outcome);
  struct GoneRound {
    std::string fault;
    std::vector<std::string> algorithms = {};  ///< whose messages went round it
  };

  /// Which faults changed nothing; those that adaptive routing went round are said of all rows together.
  std::string fault_lines(const std::string& name, const Report& report);
  /// Of lines that begin with #.
  void write_comments(std::string_view lines);

  std::ostream& out_;
  std::size_t columns_;
  std::optional<Table> table_;
  const Setup* shown_ = nullptr;  ///< whose table it is
  std::map<const Setup*, EquivalentRuns> equivalents_;
  TimesToFirstModel to_first_model_;
  std::vector<RunInBrief> in_brief_;  ///< of what is right, under the virtual clock, and not computed by switches
  std::vector<GoneRound> gone_round_;
  std::size_t with_faults_ = 0;  ///< rows that could go round one
  int right_ = 0;
  int failed_ = 0;
  int stopped_ = 0;
};

class JsonReporter : public Reporter {
 public:
  /// Writes the document once, at the end. `out` outlives this.
  explicit JsonReporter(std::ostream& out) : out_(&out) {}
  /// Writes the document anew after each algorithm, so that whatever ends the run leaves those that are done; "complete" says
  /// whether these are all.
  explicit JsonReporter(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

  void begin(const Setup& setup) override;
  void add(const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  std::ostream* out_ = nullptr;
  std::unique_ptr<OutputFile> file_;
  nlohmann::ordered_json document_;
  std::map<const Setup*, EquivalentRuns> equivalents_;
  TimesToFirstModel to_first_model_;
  std::size_t planned_ = 0;  ///< runs
  bool are_whole_ = true;    ///< none of its runs was stopped
};

}  // namespace heddle
