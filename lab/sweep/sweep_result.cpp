// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "heddle/registry.hpp"

namespace heddle {

namespace {

/// The measured results of one fabric and size.
struct Point {
  std::int64_t bytes;
  std::vector<const SweepResult*> measured;
};

const SweepMeasurement* find(const Point& point, const std::string& algorithm) {
  for (const SweepResult* result : point.measured)
    if (result->algorithm == algorithm) return &*result->measured;
  return nullptr;
}

/// The points of one fabric at which anything was measured, by size.
std::vector<Point> points_of(std::span<const SweepResult> results) {
  std::vector<Point> points;
  for (const SweepResult& result : results) {
    if (!result.measured) continue;
    if (points.empty() || points.back().bytes != result.bytes) points.push_back({result.bytes, {}});
    points.back().measured.push_back(&result);
  }
  return points;
}

/// The algorithms of either point, those of the first one first.
std::vector<std::string> names_of(const Point& below, const Point& above) {
  std::vector<std::string> names;
  for (const SweepResult* result : below.measured) names.push_back(result->algorithm);
  for (const SweepResult* result : above.measured)
    if (find(below, result->algorithm) == nullptr) names.push_back(result->algorithm);
  return names;
}

/// Of one fabric between two sizes. `best` is the best at the lower one and becomes that at the upper one.
void append_crossings(const Point& below, const Point& above, std::string& best, std::vector<Crossing>& crossings) {
  const std::vector<std::string> names = names_of(below, above);
  std::vector<TimeLine> lines;
  for (const std::string& name : names) lines.push_back(time_line(find(below, name), find(above, name)));
  const auto first = static_cast<std::size_t>(std::ranges::find(names, best) - names.begin());
  for (const LeastChange& change : changes_of_least(lines, first)) {
    Crossing crossing{below.measured.front()->fabric, names[change.from], names[change.to], below.bytes, above.bytes};
    if (change.part)
      crossing.at = static_cast<double>(below.bytes) + *change.part * static_cast<double>(above.bytes - below.bytes);
    best = crossing.to;
    crossings.push_back(std::move(crossing));
  }
}

void append_crossings(std::span<const SweepResult> results, std::vector<Crossing>& crossings) {
  const std::vector<Point> points = points_of(results);
  if (points.empty()) return;
  std::string best = best_of(points.front().measured)->algorithm;
  for (std::size_t i = 1; i < points.size(); ++i) append_crossings(points[i - 1], points[i], best, crossings);
}

bool are_of_one_row(const SweepResult& a, const SweepResult& b) {
  return a.fabric == b.fabric && a.bytes == b.bytes && bare_name(a.algorithm) == bare_name(b.algorithm);
}

bool is_better(const SweepResult& a, const SweepResult& b) {
  return a.measured && (!b.measured || a.measured->time < b.measured->time);
}

}  // namespace

bool are_equivalent(const SweepResult& a, const SweepResult& b) {
  if (!a.measured || !b.measured || !a.measured->messages_digest || !b.measured->messages_digest) return false;
  const auto likeness = [](const SweepMeasurement& of) { return RunLikeness(of.messages, *of.messages_digest, of.time); };
  return are_equivalent(likeness(*a.measured), likeness(*b.measured));
}

std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results) {
  std::vector<SweepResult> best;
  for (const SweepResult& result : results) {
    // Variants of a row stand together; of two that were named, each with variants of its own, they do as well.
    if (best.empty() || !are_of_one_row(best.back(), result))
      best.push_back(result);
    else if (is_better(result, best.back()))
      best.back() = result;
  }
  return best;
}

const SweepResult* best_of(const std::vector<const SweepResult*>& results) {
  const SweepResult* best = nullptr;
  for (const SweepResult* result : results)
    if (result->measured && (best == nullptr || result->measured->time < best->measured->time)) best = result;
  return best;
}

TimeLine time_line(const SweepMeasurement* below, const SweepMeasurement* above) {
  const auto picoseconds = [](const SweepMeasurement* of) -> std::optional<double> {
    if (of == nullptr) return std::nullopt;
    return static_cast<double>(of->time.ps());
  };
  const bool is_straight =
      below != nullptr && above != nullptr && below->messages == above->messages && below->rounds == above->rounds;
  return {picoseconds(below), picoseconds(above), is_straight};
}

std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results) {
  std::vector<Crossing> crossings;
  for (std::size_t begin = 0, end = 0; begin < results.size(); begin = end) {
    while (end < results.size() && results[end].fabric == results[begin].fabric) ++end;
    append_crossings(std::span(results).subspan(begin, end - begin), crossings);
  }
  return crossings;
}

std::string rough_size_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.3g}{}", bytes, kUnits.at(unit));
}

}  // namespace heddle
