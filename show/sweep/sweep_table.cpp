// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "show/text/table.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 128;
constexpr std::size_t kSizeWidth = 9;  ///< of a time in the table: "139.2us*", and the gap before it

using Results = std::span<const SweepResult>;

std::string size_text(std::int64_t bytes) { return to_string(Bytes(bytes)); }

std::string count_of(int count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

/// Each once, in the order in which they come.
std::vector<std::string> algorithms_of(Results results) {
  std::vector<std::string> names;
  for (const SweepResult& result : results)
    if (std::ranges::find(names, result.algorithm) == names.end()) names.push_back(result.algorithm);
  return names;
}

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
std::string time_cell(const std::vector<const SweepResult*>& point, const std::string& algorithm) {
  const auto found = std::ranges::find(point, algorithm, &SweepResult::algorithm);
  if (found == point.end()) return "- ";
  const SweepResult& result = **found;
  if (result.failure) return "FAILED ";
  if (!result.measured) return "not run ";
  return to_string(result.measured->time) + (best_of(point) == &result ? '*' : ' ');
}

/// Times of all algorithms at some of the sizes.
std::string times_text(Results results, const std::vector<std::string>& algorithms, std::span<const std::int64_t> sizes) {
  std::vector<Table::Column> columns = {{"algorithm", "", Table::Align::left, 9}};
  std::vector<std::vector<const SweepResult*>> points;
  for (const std::int64_t bytes : sizes) {
    columns.push_back({size_text(bytes) + ' ', "", Table::Align::right, kSizeWidth - 1});
    points.push_back(at_size(results, bytes));
  }
  Table table(std::move(columns));
  for (const std::string& name : algorithms) table.fit(0, name);
  std::string text = "#" + table.titles() + '\n';
  for (const std::string& name : algorithms) {
    std::vector<std::string> cells = {name};
    for (const auto& point : points) cells.push_back(time_cell(point, name));
    text += ' ' + table.row(cells) + '\n';
  }
  return text;
}

/// As many sizes beside each other as fit a line.
std::string all_times_text(Results results) {
  const std::vector<std::string> algorithms = algorithms_of(results);
  const std::vector<std::int64_t> sizes = sizes_of(results);
  std::size_t names = 9;
  for (const std::string& name : algorithms) names = std::max(names, name.size());
  const std::size_t most = names + 2 < kWidth ? std::max<std::size_t>(1, (kWidth - names - 2) / (kSizeWidth + 1)) : 1;
  std::string text;
  for (std::size_t begin = 0; begin < sizes.size(); begin += most) {
    if (begin > 0) text += "#\n";
    text += times_text(results, algorithms, std::span(sizes).subspan(begin, std::min(most, sizes.size() - begin)));
  }
  return text;
}

std::string rate_cell(const std::optional<double>& rate) { return rate ? fmt::format("{:.2f}", *rate / 1e9) : "-"; }

std::string time_in_us(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

/// The best of those that are not `best`.
const SweepResult* next_to(const SweepResult* best, std::vector<const SweepResult*> point) {
  std::erase(point, best);
  return best_of(point);
}

std::string best_text(Results results) {
  Table table({{"size", "(B)", Table::Align::right, 11},
               {"best", "", Table::Align::left, 9},
               {"time", "(us)", Table::Align::right, 12},
               {"algbw", "(GB/s)", Table::Align::right, 8},
               {"busbw", "(GB/s)", Table::Align::right, 8},
               {"next best", "", Table::Align::left, 9},
               {"takes", "", Table::Align::right, 8}});
  for (const std::string& name : algorithms_of(results)) {
    table.fit(1, name);
    table.fit(5, name);
  }
  std::string text = "#" + table.titles() + "\n#" + table.units() + '\n';
  for (const std::int64_t bytes : sizes_of(results)) {
    const std::vector<const SweepResult*> point = at_size(results, bytes);
    const SweepResult* best = best_of(point);
    if (best == nullptr) continue;
    const SweepMeasurement& measured = *best->measured;
    std::vector<std::string> cells = {fmt::format("{}", bytes), best->algorithm, time_in_us(measured.time),
                                      rate_cell(measured.algbw), rate_cell(measured.busbw)};
    if (const SweepResult* next = next_to(best, point)) {
      const auto times = [&](const SweepResult& of) { return static_cast<double>(of.measured->time.ps()); };
      cells.push_back(next->algorithm);
      cells.push_back(times(*best) > 0 ? fmt::format("+{:.1f} %", (times(*next) / times(*best) - 1) * 100) : "");
    }
    text += ' ' + table.row(cells) + '\n';
  }
  return text;
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

std::string fabric_text(const Json& fabric, Results results) {
  const auto text_at = [&](const char* key) { return fabric.at(key).get<std::string>(); };
  std::string text = fmt::format("#\n# {}: {}, placement {}\n", text_at("fabric"),
                                 count_of(fabric.at("ranks").get<int>(), "rank"), text_at("placement"));
  const Json& preset = fabric.at("preset");
  text +=
      fmt::format("# {}{}\n", preset.is_null() ? "" : fmt::format("preset {}: ", preset.get<std::string>()), text_at("speeds"));
  if (results.empty()) return text + "# no run\n";
  text += all_times_text(results) + "#\n" + best_text(results);
  return text + crossings_text(results);
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
    text += fabric_text(fabric, results);
  }
  return text + tail_text(document);
}

}  // namespace heddle
