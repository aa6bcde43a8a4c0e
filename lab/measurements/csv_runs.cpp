// SPDX-License-Identifier: Apache-2.0
// Measured runs as a CSV of one's own. The first line names the columns, in any order: collective, ranks, bytes and seconds are
// there, algorithm, datatype, op, root and in_place may be. Bytes are of the whole vector, as heddle's --size. Lines that begin with
// # are comments. An algorithm with commas in its options stands in double quotes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/measurements/log_lines.hpp"

namespace heddle::logs {

namespace {

constexpr std::array<std::string_view, 9> kColumns = {"collective", "ranks", "bytes", "seconds", "algorithm",
                                                      "datatype",   "op",    "root",  "in_place"};
constexpr std::size_t kNeeded = 4;

/// A quote within quotes is there twice.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[i++];
    else if (line[i] == '"')
      is_quoted = !is_quoted;
    else if (line[i] == ',' && !is_quoted)
      fields.emplace_back();
    else if (is_quoted || (line[i] != ' ' && line[i] != '\t'))
      fields.back() += line[i];
  }
  return fields;
}

class Csv {
 public:
  explicit Csv(Log& log) : log_(log) {}

  void read() {
    for (const Line& line : log_.lines()) {
      if (line.text.empty() || line.text.starts_with('#')) continue;
      if (columns_.empty())
        read_columns(line);
      else
        read_row(line);
    }
  }

 private:
  void read_columns(const Line& line) {
    columns_ = fields_of(line.text);
    for (const std::string& name : columns_) {
      if (std::ranges::find(kColumns, name) == kColumns.end())
        log_.fail(line, fmt::format("'{}' is no column; there are {}", printable(name), fmt::join(kColumns, ", ")));
      if (std::ranges::count(columns_, name) > 1) log_.fail(line, fmt::format("the column '{}' is there twice", name));
    }
    for (std::size_t i = 0; i < kNeeded; ++i)
      if (std::ranges::find(columns_, kColumns[i]) == columns_.end())
        log_.fail(line, fmt::format("the column '{}' is missing", kColumns[i]));
  }

  /// Empty: the row or the file does not say.
  std::string value(std::string_view name) const {
    const auto at = std::ranges::find(columns_, name) - columns_.begin();
    return at < std::ssize(columns_) ? fields_[static_cast<std::size_t>(at)] : "";
  }

  void set(const Line& line, Experiment& call, std::string_view column, std::string_view flag) const {
    const std::string text = value(column);
    if (text.empty()) return;
    try {
      set_flag(call, flag, text);
    } catch (const InputError& error) {
      log_.fail(line, error.what());
    }
  }

  void read_row(const Line& line) {
    fields_ = fields_of(line.text);
    if (fields_.size() != columns_.size())
      log_.fail(line, fmt::format("{} fields, and the first line names {}", fields_.size(), columns_.size()));
    Experiment call;
    try {
      call.collective = parse_collective(value("collective"));
    } catch (const InputError& error) {
      log_.fail(line, error.what());
    }
    call.ranks = log_.ranks(line, static_cast<int>(std::min<std::int64_t>(log_.whole(line, value("ranks"), "ranks"), 1 << 30)));
    if (call.collective != Collective::barrier)
      call.size = whole_size(log_, line, log_.whole(line, value("bytes"), "bytes"), SizeOf::whole, *call.ranks);
    call.algorithm = value("algorithm");
    set(line, call, "datatype", "--datatype");
    if (reduces(call.collective)) set(line, call, "op", "--op");
    if (has_root(call.collective)) set(line, call, "root", "--root");
    const std::string in_place = value("in_place");
    if (!in_place.empty() && in_place != "0" && in_place != "1")
      log_.fail(line, fmt::format("in_place is 0 or 1, not '{}'", printable(in_place)));
    if (!in_place.empty()) call.in_place = in_place == "1";
    log_.add(line, call, log_.number(line, value("seconds"), "seconds"), fmt::format("a CSV, {} ranks", *call.ranks));
  }

  Log& log_;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
};

}  // namespace

bool is_csv_header(std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  return fields.size() > 1 && std::ranges::find(fields, "seconds") != fields.end();
}

void read_csv(Log& log) { Csv(log).read(); }

}  // namespace heddle::logs
