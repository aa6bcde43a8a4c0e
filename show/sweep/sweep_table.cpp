// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "lab/documents/tuning_json.hpp"
#include "show/sweep/sweep_lines.hpp"
#include "show/text/comment_lines.hpp"
#include "show/text/table.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 128;
constexpr std::size_t kSizeWidth = 9;  ///< of a time in the table: "139.2us*", and the gap before it

constexpr std::size_t kNames = 48;       ///< letters for the names of twins on a line of times
constexpr std::size_t kShortNames = 35;  ///< and for those of the best, of which two stand on a line

using Results = std::span<const SweepResult>;
using Lines = std::span<const SweepLine>;

std::string size_text(std::int64_t bytes) { return to_string(Bytes(bytes)); }

std::string count_of(int count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

std::vector<std::int64_t> sizes_of(Results results) {
  std::vector<std::int64_t> sizes;
  for (const SweepResult& result : results)
    if (sizes.empty() || sizes.back() != result.bytes) sizes.push_back(result.bytes);
  return sizes;
}

std::vector<const SweepResult*> at_size(Results results, std::int64_t bytes) {
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : results)
    if (result.bytes == bytes) point.push_back(&result);
  return point;
}

/// With a blank or a star behind it; "-" where the algorithm was left out.
std::string time_cell(const SweepResult* result, const SweepResult* best) {
  if (result == nullptr) return "- ";
  if (result->failure) return "FAILED ";
  if (!result->measured) return "not run ";
  return to_string(result->measured->time) + (best == result ? '*' : ' ');
}

/// Times at the sizes from `begin` on, so many of them.
std::string times_text(Results results, Lines lines, std::span<const std::int64_t> sizes, std::size_t begin,
                       std::size_t count) {
  std::vector<Table::Column> columns = {{"algorithm", "", Table::Align::left, 9}};
  std::vector<const SweepResult*> best;
  for (std::size_t size = begin; size < begin + count; ++size) {
    columns.push_back({size_text(sizes[size]) + ' ', "", Table::Align::right, kSizeWidth - 1});
    best.push_back(best_of(at_size(results, sizes[size])));
  }
  Table table(std::move(columns));
  for (const SweepLine& line : lines) table.fit(0, shared_name(line.names, kNames));
  std::string text = "#" + table.titles() + '\n';
  for (const SweepLine& line : lines) {
    std::vector<std::string> cells = {shared_name(line.names, kNames)};
    for (std::size_t i = 0; i < count; ++i) cells.push_back(time_cell(line.results[begin + i], best[i]));
    text += ' ' + table.row(cells) + '\n';
  }
  return text;
}

/// As many sizes beside each other as fit a line.
std::string all_times_text(Results results, Lines lines, std::span<const std::int64_t> sizes) {
  std::size_t names = 9;
  for (const SweepLine& line : lines) names = std::max(names, shared_name(line.names, kNames).size());
  const std::size_t most = names + 2 < kWidth ? std::max<std::size_t>(1, (kWidth - names - 2) / (kSizeWidth + 1)) : 1;
  std::string text;
  for (std::size_t begin = 0; begin < sizes.size(); begin += most) {
    if (begin > 0) text += "#\n";
    text += times_text(results, lines, sizes, begin, std::min(most, sizes.size() - begin));
  }
  return text;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " = ")); }

/// The names that the lines of times had no room for.
std::string twins_text(Lines lines) {
  std::string text;
  for (const SweepLine& line : lines)
    if (const std::string all = joined(line.names); shared_name(line.names, kNames) != all)
      text += fmt::format("# the same messages: {}\n", all);
  return text;
}

/// Which variant of a row each time is of, where that is not the row as it is at all sizes.
std::string variants_text(Lines lines, std::span<const std::int64_t> sizes) {
  std::string text;
  for (const SweepLine& line : lines) {
    std::string variants;
    bool has_options = false;
    for (std::size_t i = 0, end = 0; i < sizes.size(); i = end) {
      const SweepResult* first = line.results[i];
      for (end = i + 1; end < sizes.size(); ++end) {
        const SweepResult* next = line.results[end];
        if ((first == nullptr) != (next == nullptr) || (first != nullptr && first->algorithm != next->algorithm)) break;
      }
      if (first == nullptr || !first->measured) continue;
      has_options = has_options || first->algorithm != line.names.front();
      const std::string last = end > i + 1 ? " to " + size_text(sizes[end - 1]) : "";
      variants += fmt::format("{}{} at {}{}", variants.empty() ? "" : "; ", first->algorithm, size_text(sizes[i]), last);
    }
    if (has_options) text += fmt::format("# the best of {}: {}\n", line.names.front(), variants);
  }
  return text;
}

std::string rate_cell(const std::optional<double>& rate) { return rate ? fmt::format("{:.2f}", *rate / 1e9) : "-"; }

std::string time_in_us(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

/// The names of `result` and of its twins at the point.
std::vector<std::string> twins_of(const SweepResult& result, const std::vector<const SweepResult*>& point) {
  std::vector<std::string> names = {result.algorithm};
  for (const SweepResult* other : point)
    if (other != &result && are_twins(*other, result)) names.push_back(other->algorithm);
  return names;
}

/// The best of those that do not do the same as `best`.
const SweepResult* next_to(const SweepResult* best, std::vector<const SweepResult*> point) {
  std::erase_if(point, [&](const SweepResult* other) { return other == best || are_twins(*other, *best); });
  return best_of(point);
}

/// One size's line.
struct BestLine {
  std::vector<std::string> cells;
  std::string twins;  ///< names that it has no room for, as comments
};

BestLine best_line(const std::vector<const SweepResult*>& point, const SweepResult& best) {
  const SweepMeasurement& measured = *best.measured;
  BestLine line;
  const auto names = [&](const SweepResult& result) {
    const std::vector<std::string> all = twins_of(result, point);
    std::string text = all.size() == 1 ? all.front() : joined(all);
    if (all.size() == 1 || text.size() <= kShortNames) return text;
    line.twins += fmt::format("# the same messages at {}: {}\n", size_text(result.bytes), text);
    return fmt::format("{} = {} more", all.front(), all.size() - 1);
  };
  line.cells = {fmt::format("{}", best.bytes), names(best), time_in_us(measured.time), rate_cell(measured.algbw),
                rate_cell(measured.busbw)};
  if (const SweepResult* next = next_to(&best, point)) {
    const auto times = [&](const SweepResult& of) { return static_cast<double>(of.measured->time.ps()); };
    line.cells.push_back(names(*next));
    line.cells.push_back(times(best) > 0 ? fmt::format("+{:.1f} %", (times(*next) / times(best) - 1) * 100) : "");
  }
  return line;
}

std::string best_text(Results results, Lines algorithms, std::span<const std::int64_t> sizes) {
  Table table({{"size", "(B)", Table::Align::right, 11},
               {"best", "", Table::Align::left, 9},
               {"time", "(us)", Table::Align::right, 12},
               {"algbw", "(GB/s)", Table::Align::right, 8},
               {"busbw", "(GB/s)", Table::Align::right, 8},
               {"next best", "", Table::Align::left, 9},
               {"takes", "", Table::Align::right, 8}});
  for (const SweepLine& line : algorithms) {
    for (const std::string& name : line.names) {
      table.fit(1, name);
      table.fit(5, name);
    }
  }
  std::vector<BestLine> lines;
  for (const std::int64_t bytes : sizes) {
    const std::vector<const SweepResult*> point = at_size(results, bytes);
    if (const SweepResult* best = best_of(point)) lines.push_back(best_line(point, *best));
  }
  for (const BestLine& line : lines)
    for (std::size_t cell = 0; cell < line.cells.size(); ++cell) table.fit(cell, line.cells[cell]);
  std::string text = "#" + table.titles() + "\n#" + table.units() + '\n';
  std::string twins;
  for (const BestLine& line : lines) {
    text += ' ' + table.row(line.cells) + '\n';
    twins += line.twins;
  }
  return text + break_comments(twins, kWidth);
}

/// "225 KiB": an estimate, to three digits.
std::string rough_size_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string crossings_text(Results results) {
  std::string text;
  for (const Crossing& crossing : crossings_of({results.begin(), results.end()}))
    text += fmt::format("# the best changes between {} and {}: {} instead of {} from about {} on\n", size_text(crossing.below),
                        size_text(crossing.above), crossing.to, crossing.from, rough_size_text(crossing.at));
  return text;
}

std::string fabric_text(const Json& fabric, const std::vector<SweepResult>& results, bool is_tuned) {
  const auto text_at = [&](const char* key) { return fabric.at(key).get<std::string>(); };
  std::string text = fmt::format("#\n# {}: {}, placement {}\n", text_at("fabric"),
                                 count_of(fabric.at("ranks").get<int>(), "rank"), text_at("placement"));
  const Json& preset = fabric.at("preset");
  text +=
      fmt::format("# {}{}\n", preset.is_null() ? "" : fmt::format("preset {}: ", preset.get<std::string>()), text_at("speeds"));
  if (results.empty()) return text + "# no run\n";
  const std::vector<SweepResult> shown = is_tuned ? best_of_rows(results) : results;
  const std::vector<std::int64_t> sizes = sizes_of(shown);
  const std::vector<SweepLine> lines = sweep_lines(shown, sizes, is_tuned);
  text += all_times_text(shown, lines, sizes) + break_comments(twins_text(lines), kWidth);
  if (is_tuned) text += break_comments(variants_text(lines, sizes), kWidth);
  text += "#\n" + best_text(shown, lines, sizes);
  return text + break_comments(crossings_text(results), kWidth);
}

std::string head_text(const SweepDocument& document) {
  const Json& fabric = document.context.at("fabrics").at(0);
  const auto text_at = [&](const char* key) { return fabric.at(key).get<std::string>(); };
  std::string text = fmt::format("# heddle {}: sweep of {}, {}{}\n", document.context.at("version").get<std::string>(),
                                 text_at("collective"), count_of(document.planned, "run"),
                                 document.shard.is_whole() ? "" : fmt::format(", part {}", to_string(document.shard)));
  text += fmt::format("# {} {}, buffering {}, seed {}", text_at("datatype"), text_at("op"), text_at("buffering"),
                      fabric.at("seed").dump());
  for (const char* key : {"groups", "background", "skew"})
    if (!fabric.at(key).is_null()) text += fmt::format("; {} {}", key, text_at(key));
  return text + "; a time is printed only if every check passed; *: the best\n";
}

/// "(on ring:7, ring:9 and 3 more)"; nothing where it is all of them.
std::string fabrics_text(const Json& fabrics, std::size_t all) {
  if (fabrics.size() == all) return "";
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < std::min(kShown, fabrics.size()); ++f) names.push_back(fabrics[f].get<std::string>());
  const std::string more = fabrics.size() > kShown ? fmt::format(" and {} more", fabrics.size() - kShown) : "";
  return fmt::format(" (on {}{})", fmt::join(names, "; "), more);
}

std::string tail_text(const SweepDocument& document) {
  std::string text = "#\n";
  for (const Json& left : document.left_out)
    text += fmt::format("# left out: {}: {}{}\n", left.at("algorithm").get<std::string>(), left.at("reason").get<std::string>(),
                        fabrics_text(left.at("fabrics"), document.context.at("fabrics").size()));
  if (document.context.contains("tuning"))
    text += break_comments(fmt::format("# {}\n", tuning_text(document.context.at("tuning"))), kWidth);
  const auto right = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.measured; }));
  const auto failed = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.failure; }));
  const int missing = runs_of(document.shard, document.planned) - right - failed;
  text += fmt::format("# {} right", count_of(right, "result"));
  if (failed > 0) text += fmt::format(", {} FAILED", failed);
  if (missing > 0) text += fmt::format("; incomplete: {} not run", count_of(missing, "run"));
  return text + '\n';
}

}  // namespace

std::string table_text_of(const SweepDocument& document) {
  std::string text = head_text(document);
  for (const Json& fabric : document.context.at("fabrics")) {
    std::vector<SweepResult> results;
    std::ranges::copy_if(document.runs, std::back_inserter(results),
                         [&](const SweepResult& run) { return fabric.at("fabric") == run.fabric; });
    text += fabric_text(fabric, results, document.context.contains("tuning"));
  }
  return text + tail_text(document);
}

}  // namespace heddle
