// SPDX-License-Identifier: Apache-2.0
// What readers of other programs' tables share: lines with their numbers, words, and what becomes of a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/measurements/measured_run.hpp"

namespace heddle::logs {

/// Between blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Of titles that have single blanks in them: between two blanks or more. A leading # is none.
std::vector<std::string_view> titles_of(std::string_view line);

/// Whether a line is a table's row: it begins with a digit.
bool is_row(std::string_view line);

struct Line {
  int number = 1;
  std::string_view text;  ///< without blanks at its ends, and without what its launcher writes before it, "[1,0]<stdout>:"
};

/// A table of another program while it is read: each reader takes its lines and adds rows.
class Log {
 public:
  /// `path` for complaints; `text` and `facts` outlive it.
  Log(std::string path, std::string_view text, const LogFacts& facts);

  const std::vector<Line>& lines() const { return lines_; }
  const LogFacts& facts() const { return facts_; }

  [[noreturn]] void fail(const Line& at, std::string_view what) const;

  /// A number of a row; `what` names its column.
  double number(const Line& at, std::string_view word, std::string_view what) const;
  std::int64_t whole(const Line& at, std::string_view word, std::string_view what) const;

  /// What the log says or the flag; both must be the same. `what` and `flag` for complaints.
  Collective collective(const Line& at, std::optional<Collective> said) const;
  int ranks(const Line& at, std::optional<int> said) const;
  std::string algorithm(const Line& at) const;

  /// `call` without its algorithm, unless it has one. Rows of one rank or no bytes are passed over: nothing is sent.
  void add(const Line& at, Experiment call, double seconds, std::string network, bool is_one_message = false);
  /// Once for each `what`.
  void leave_out(const Line& at, std::string_view what);

  MeasuredRuns take() { return std::move(runs_); }

 private:
  std::string path_;
  std::vector<Line> lines_;
  const LogFacts& facts_;
  MeasuredRuns runs_;
};

/// How a program's bytes are heddle's, which are of the whole vector.
enum class SizeOf : std::uint8_t { whole, block };

/// A collective as OSU's and Intel's benchmarks name and measure it: blocks of an allgather, an alltoall, a gather, a scatter.
struct NamedCollective {
  std::string_view name;
  Collective collective;
  SizeOf size = SizeOf::whole;
};

/// Throws as Log::fail for more bytes than there can be.
Bytes whole_size(const Log& log, const Line& at, std::int64_t bytes, SizeOf size, int ranks);

// A reader for each program, in a file of its own.
void read_nccl_tests(Log& log);
void read_osu(Log& log);
void read_imb(Log& log);
void read_csv(Log& log);

/// Names of columns of the CSV's header.
bool is_csv_header(std::string_view line);

}  // namespace heddle::logs
