// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "lab/sweep/sweep_result.hpp"
#include "lab/describe/equal_runs.hpp"

namespace heddle::pictures {

namespace {

constexpr std::size_t kLettersOfKey = 44;

struct Line {
  std::vector<std::string> algorithms;  ///< most are of one
  std::vector<ChartPoint> points;

  bool is_of(const std::string& algorithm) const { return std::ranges::find(algorithms, algorithm) != algorithms.end(); }
};

/// The fabrics of a plot against fabrics, in their order.
std::vector<std::string> fabrics_of(const std::vector<SweepResult>& results) {
  std::vector<std::string> fabrics;
  for (const SweepResult& result : results)
    if (std::ranges::find(fabrics, result.fabric) == fabrics.end()) fabrics.push_back(result.fabric);
  return fabrics;
}

/// No value: it has no place on log axes, or was not measured.
std::optional<ChartPoint> point_of(const SweepResult& result, const std::vector<std::string>& fabrics, PlotX x, PlotY y) {
  if (!result.measured || result.measured->time <= Time()) return std::nullopt;
  const auto ps = static_cast<double>(result.measured->time.ps());
  const auto bytes = static_cast<double>(result.bytes);
  const auto height_of = [&](double of) { return y == PlotY::time ? of / 1e6 : bytes / of * 1e3; };
  const double height = height_of(ps);
  if (height <= 0 || (x == PlotX::size && result.bytes <= 0)) return std::nullopt;
  ChartPoint point{bytes, height};
  if (x == PlotX::ranks) point.x = static_cast<double>(result.ranks);
  if (x == PlotX::fabric) point.x = static_cast<double>(std::ranges::find(fabrics, result.fabric) - fabrics.begin());
  const auto& spread = result.spread;
  if (spread && spread->first_quartile > Time() && spread->first_quartile != spread->third_quartile) {
    point.low = height_of(static_cast<double>(spread->first_quartile.ps()));
    point.high = height_of(static_cast<double>(spread->third_quartile.ps()));
  }
  return point;
}

/// In the order in which algorithms first come; those with the same points are one line.
std::vector<Line> lines_of(const std::vector<SweepResult>& results, PlotX x, PlotY y) {
  const std::vector<std::string> fabrics = fabrics_of(results);
  std::vector<Line> of_one;
  for (const SweepResult& result : results) {
    const std::optional<ChartPoint> point = point_of(result, fabrics, x, y);
    if (!point) continue;
    auto line = std::ranges::find_if(of_one, [&](const Line& known) { return known.is_of(result.algorithm); });
    if (line == of_one.end()) line = of_one.insert(line, {{result.algorithm}, {}});
    line->points.push_back(*point);
  }
  std::vector<Line> lines;
  for (Line& line : of_one) {
    std::ranges::stable_sort(line.points, {}, &ChartPoint::x);
    const auto twin = std::ranges::find(lines, line.points, &Line::points);
    if (twin == lines.end())
      lines.push_back(std::move(line));
    else
      twin->algorithms.push_back(line.algorithms.front());
  }
  return lines;
}

/// Where the curves of the best algorithms are at a size between two measured ones; no value where that size is not known.
std::optional<double> height_at(const std::vector<Line>& lines, const std::string& algorithm, const Crossing& crossing,
                                PlotY y) {
  if (!crossing.at) return std::nullopt;
  const auto line = std::ranges::find_if(lines, [&](const Line& known) { return known.is_of(algorithm); });
  if (line == lines.end()) return std::nullopt;
  const auto at = [&](std::int64_t bytes) {
    return std::ranges::find(line->points, static_cast<double>(bytes), &ChartPoint::x);
  };
  const auto below = at(crossing.below);
  const auto above = at(crossing.above);
  if (below == line->points.end() || above == line->points.end()) return std::nullopt;
  const auto time = [&](const ChartPoint& point) { return y == PlotY::time ? point.y : point.x / point.y; };
  const double part =
      (*crossing.at - static_cast<double>(crossing.below)) / static_cast<double>(crossing.above - crossing.below);
  const double between = time(*below) * (1 - part) + time(*above) * part;
  return y == PlotY::time ? between : *crossing.at / between;
}

/// "from 225KiB, swing_bandwidth", "between 1MiB and 4MiB, chain"
std::string change_text(const Crossing& crossing) {
  if (crossing.at) return fmt::format("from {}, {}", rough_size_text(*crossing.at), crossing.to);
  return fmt::format("between {} and {}, {}", to_string(Bytes(crossing.below)), to_string(Bytes(crossing.above)), crossing.to);
}

ChartAxis x_axis(PlotX x, const std::vector<std::string>& fabrics) {
  switch (x) {
    case PlotX::size:
      return {.title = "Size of the vector", .is_log = true, .labels = ChartAxis::Labels::bytes};
    case PlotX::ranks:
      return {.title = "Ranks", .is_log = true, .labels = ChartAxis::Labels::counts};
    case PlotX::fabric:
      break;
  }
  return {.title = {}, .labels = ChartAxis::Labels::names, .names = fabrics};
}

}  // namespace

PlotY parse_plot_y(std::string_view text) {
  if (text == "time") return PlotY::time;
  if (text == "goodput") return PlotY::goodput;
  throw InputError(fmt::format("'{}': time or goodput", text));
}

bool has_points(const std::vector<SweepResult>& results, PlotX x, PlotY y) { return !lines_of(results, x, y).empty(); }

Chart plot_chart(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotX x) {
  const std::vector<Line> lines = lines_of(results, x, y);
  if (lines.empty()) throw InputError("nothing was measured that has a size and a time: there is nothing to draw");
  ChartPanel panel = {.title = {},
                      .x = x_axis(x, fabrics_of(results)),
                      .y = {.title = y == PlotY::time ? "Time (us)" : "Goodput (GB/s)", .is_log = true},
                      .lines = {},
                      .best_is_most = y == PlotY::goodput,
                      .has_lines = x != PlotX::fabric};
  for (const Line& line : lines) panel.lines.push_back({shared_name(line.algorithms, kLettersOfKey), line.points});
  if (x == PlotX::size) {
    for (const Crossing& crossing : crossings_of(results)) {
      if (panel.changes.empty()) panel.first_best = "the best: " + crossing.from;
      ChartChange& change = panel.changes.emplace_back(std::nullopt, change_text(crossing));
      if (const auto height = height_at(lines, crossing.to, crossing, y)) change.at = ChartPoint{*crossing.at, *height};
    }
  }
  return {.title = title.headline, .details = title.details, .panels = {std::move(panel)}, .look = ChartLook::plot};
}

}  // namespace heddle::pictures
