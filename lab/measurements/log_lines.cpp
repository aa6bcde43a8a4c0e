// SPDX-License-Identifier: Apache-2.0
#include "lab/measurements/log_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/printable.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::logs {

namespace {

constexpr double kMostSeconds = 1e5;
constexpr std::int64_t kMostBytes = 1'000'000'000'000'000;
constexpr int kMostRanks = 1 << 24;

std::string_view without_blanks(std::string_view line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

/// What launchers write before each line: "[1,0]<stdout>:" (mpirun --tag-output), "[0] " (mpiexec -prepend-rank), "0: " (srun -l).
std::string_view without_tag(std::string_view line) {
  constexpr std::string_view kTag = "<stdout>:";
  const bool is_bracketed = line.starts_with('[');
  const std::size_t tag = is_bracketed ? line.find(kTag) : line.npos;
  if (tag != line.npos) return without_blanks(line.substr(tag + kTag.size()));
  const std::size_t begin = is_bracketed ? 1 : 0;
  const std::size_t end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const std::string_view mark = is_bracketed ? "]" : ":";
  const bool is_rank = end > begin && line.substr(end).starts_with(mark) &&
                       (end + 1 == line.size() || line[end + 1] == ' ' || line[end + 1] == '\t');
  return is_rank ? without_blanks(line.substr(end + 1)) : line;
}

std::vector<std::string_view> split(std::string_view line, std::size_t blanks) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  while (begin < line.size()) {
    std::size_t end = begin;
    std::size_t gap = 0;
    while (end < line.size()) {
      gap = 0;
      while (end + gap < line.size() && is_blank(line[end + gap])) ++gap;
      if (gap >= blanks || (gap > 0 && line[end] == '\t')) break;
      end += gap + 1;
    }
    end = std::min(end, line.size());
    if (end > begin) parts.push_back(line.substr(begin, end - begin));
    begin = end + std::max<std::size_t>(gap, 1);
  }
  return parts;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) { return split(line, 1); }

std::vector<std::string_view> titles_of(std::string_view line) {
  if (line.starts_with('#')) line.remove_prefix(1);
  return split(without_blanks(line), 2);
}

bool is_row(std::string_view line) { return !line.empty() && line.front() >= '0' && line.front() <= '9'; }

Log::Log(std::string path, std::string_view text, const LogFacts& facts) : path_(std::move(path)), facts_(facts) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines_.push_back({number, without_tag(without_blanks(text.substr(0, end)))});
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  runs_.has_logs = true;
}

void Log::fail(const Line& at, std::string_view what) const {
  throw InputError(fmt::format("{}:{}: {}", path_, at.number, what));
}

double Log::number(const Line& at, std::string_view word, std::string_view what) const {
  const auto value = read_number<double>(word);
  if (!value || !std::isfinite(*value)) fail(at, fmt::format("'{}' is no number, and stands for {}", printable(word), what));
  return *value;
}

std::int64_t Log::whole(const Line& at, std::string_view word, std::string_view what) const {
  const auto value = read_number<std::int64_t>(word);
  if (!value || *value < 0) fail(at, fmt::format("'{}' is no whole number, and stands for {}", printable(word), what));
  return *value;
}

Collective Log::collective(const Line& at, std::optional<Collective> said) const {
  if (said && facts_.collective && *said != *facts_.collective)
    fail(at, fmt::format("the log is of {}, and --log-collective says {}", to_string(*said), to_string(*facts_.collective)));
  if (said) return *said;
  if (facts_.collective) return *facts_.collective;
  fail(at, "the log does not say which collective it is of; try --log-collective allreduce");
}

int Log::ranks(const Line& at, std::optional<int> said) const {
  if (said && facts_.ranks && *said != *facts_.ranks)
    fail(at, fmt::format("the log is of {} ranks, and --log-ranks says {}", *said, *facts_.ranks));
  if (!said && !facts_.ranks) fail(at, "the log does not say on how many ranks it was measured; try --log-ranks 8");
  const int ranks = said ? *said : *facts_.ranks;
  if (ranks < 1 || ranks > kMostRanks) fail(at, fmt::format("{} ranks: there are 1 to {}", ranks, kMostRanks));
  return ranks;
}

std::string Log::algorithm(const Line& at) const {
  if (facts_.algorithm.empty())
    fail(at, "the log does not say which algorithm was run, and its library may have taken several; try --log-algo ring");
  return facts_.algorithm;
}

void Log::add(const Line& at, Experiment call, double seconds, std::string network, bool is_one_message) {
  if (call.collective != Collective::barrier && call.size.value_or(Bytes(0)) == Bytes(0)) return;
  if (*call.ranks < 2) return;
  const Time time = seconds <= kMostSeconds ? Time::from_seconds(std::max(0.0, seconds)) : Time();
  if (time <= Time()) fail(at, fmt::format("a time must be from 1ps to {:g} s, not {:g} s", kMostSeconds, seconds));
  if (call.algorithm.empty()) call.algorithm = algorithm(at);
  MeasuredRun run;
  run.place = fmt::format("{}:{}", path_, at.number);
  run.experiment = std::move(call);
  run.time = time;
  run.network = std::move(network);
  if (is_one_message) run.rounds = 1, run.messages = 1;
  runs_.runs.push_back(std::move(run));
}

void Log::leave_out(const Line& at, std::string_view what) {
  const std::string line = printable(what);
  const auto is_known = [&](const std::string& known) { return known.ends_with(": " + line); };
  if (std::ranges::none_of(runs_.left_out, is_known))
    runs_.left_out.push_back(fmt::format("{}:{}: {}", path_, at.number, line));
}

Bytes whole_size(const Log& log, const Line& at, std::int64_t bytes, SizeOf size, int ranks) {
  const std::int64_t blocks = size == SizeOf::block ? ranks : 1;
  if (bytes > kMostBytes / blocks) log.fail(at, fmt::format("{} bytes: there are at most {}", bytes, kMostBytes / blocks));
  return Bytes(bytes * blocks);
}

}  // namespace heddle::logs
