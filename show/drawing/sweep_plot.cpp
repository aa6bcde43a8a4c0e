// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/drawing/picture_file.hpp"

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
    const auto equivalent = std::ranges::find(lines, line.points, &Line::points);
    if (equivalent == lines.end())
      lines.push_back(std::move(line));
    else
      equivalent->algorithms.push_back(line.algorithms.front());
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

/// "ring", "ring or bucket", "ring or 3 more": `best` and what is as fast at all sizes from one that was measured to another.
std::string best_text(const std::vector<Line>& lines, const std::string& best, std::int64_t from, std::int64_t to) {
  const auto among = [&](const Line& line) {
    std::vector<ChartPoint> points;
    std::ranges::copy_if(line.points, std::back_inserter(points), [&](const ChartPoint& point) {
      return point.x >= static_cast<double>(from) && point.x <= static_cast<double>(to);
    });
    return points;
  };
  const auto of_best = std::ranges::find_if(lines, [&](const Line& line) { return line.is_of(best); });
  if (of_best == lines.end()) return best;
  std::vector<std::string> others;
  for (const Line& line : lines) {
    if (among(line) != among(*of_best)) continue;
    std::ranges::copy_if(line.algorithms, std::back_inserter(others), [&](const std::string& name) { return name != best; });
  }
  if (others.empty()) return best;
  return others.size() == 1 ? fmt::format("{} or {}", best, others.front()) : fmt::format("{} or {} more", best, others.size());
}

/// "from 225KiB, swing_bandwidth", "between 1MiB and 4MiB, chain"
std::string change_text(const Crossing& crossing, const std::string& best) {
  if (crossing.at) return fmt::format("from {}, {}", rough_size_text(*crossing.at), best);
  return fmt::format("between {} and {}, {}", to_string(Bytes(crossing.below)), to_string(Bytes(crossing.above)), best);
}

/// Where the best changes over sizes.
void add_changes(ChartPanel& panel, const std::vector<Line>& lines, const std::vector<Crossing>& crossings, PlotY y) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!crossings.empty())
    panel.first_best = "the best: " + best_text(lines, crossings.front().from, 0, crossings.front().below);
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& crossing = crossings[i];
    // Where it changes again before the next size that was measured, both sizes around.
    const std::int64_t until = i + 1 < crossings.size() ? crossings[i + 1].below : kMost;
    const auto [from, to] = std::minmax(crossing.above, until);
    ChartChange& change =
        panel.changes.emplace_back(ChartChange{std::nullopt, change_text(crossing, best_text(lines, crossing.to, from, to))});
    if (const auto height = height_at(lines, crossing.to, crossing, y)) change.at = ChartPoint{*crossing.at, *height};
  }
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

/// Beside the lines of their algorithms, where these have results on as many ranks.
std::vector<ChartMark> marks_of(std::span<const MeasuredRun> measured, const std::vector<SweepResult>& results,
                                const std::vector<Line>& lines, PlotX x, PlotY y) {
  std::vector<ChartMark> marks;
  if (x == PlotX::fabric) return marks;
  for (const MeasuredRun& run : measured) {
    const std::int64_t bytes = run.experiment.size.value_or(Bytes(0)).count();
    const auto line = std::ranges::find_if(lines, [&](const Line& known) { return known.is_of(run.experiment.algorithm); });
    const bool is_beside = std::ranges::any_of(results, [&](const SweepResult& result) {
      return result.algorithm == run.experiment.algorithm && result.ranks == run.experiment.ranks &&
             (x == PlotX::size || result.bytes == bytes);
    });
    if (bytes == 0 || line == lines.end() || !is_beside) continue;
    const double us = run.time.seconds() * 1e6;
    marks.push_back({shared_name(line->algorithms, kLettersOfKey),
                     {x == PlotX::size ? static_cast<double>(bytes) : static_cast<double>(*run.experiment.ranks),
                      y == PlotY::time ? us : static_cast<double>(bytes) / us / 1e3}});
  }
  return marks;
}

}  // namespace

PlotY parse_plot_y(std::string_view text) {
  if (text == "time") return PlotY::time;
  if (text == "goodput") return PlotY::goodput;
  throw InputError(fmt::format("'{}': time or goodput", text));
}

Chart plot_chart(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotX x,
                 std::span<const MeasuredRun> measured) {
  const std::vector<Line> lines = lines_of(results, x, y);
  if (lines.empty()) throw InputError("nothing was measured that has a size and a time: there is nothing to draw");
  ChartPanel panel = {.title = {},
                      .x = x_axis(x, fabrics_of(results)),
                      .y = {.title = y == PlotY::time ? "Time (us)" : "Goodput (GB/s)", .is_log = true},
                      .lines = {},
                      .best_is_most = y == PlotY::goodput,
                      .has_lines = x != PlotX::fabric};
  for (const Line& line : lines) panel.lines.push_back({shared_name(line.algorithms, kLettersOfKey), line.points});
  panel.printed = marks_of(measured, results, lines, x, y);
  if (x == PlotX::size) add_changes(panel, lines, crossings_of(results), y);
  return {.title = title.headline,
          .details = title.details,
          .panels = {std::move(panel)},
          .look = ChartLook::plot,
          .marks_are = "measured"};
}

namespace {

/// `text` without the first `part` in it.
std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

/// "star:64, 400Gbps" of "star:64, 13 ranks, 400Gbps".
std::string without_ranks(const SweepResult& result) { return without(result.fabric, fmt::format(", {} ranks", result.ranks)); }

}  // namespace

PlotAxes::PlotAxes(const std::vector<SweepResult>& planned) {
  std::set<std::int64_t> sizes;
  std::set<int> ranks;
  std::set<std::string> fabrics;
  std::map<std::string, std::set<int>> ranks_of;
  for (const SweepResult& result : planned) {
    sizes.insert(result.bytes);
    ranks.insert(result.ranks);
    fabrics.insert(result.fabric);
    ranks_of[without_ranks(result)].insert(result.ranks);
  }
  if (sizes.size() > 1) return;
  if (ranks.size() > 1) {
    x_ = PlotX::ranks;
    topologies_grow_ = true;
    for (const auto& [fabric, of_it] : ranks_of) topologies_grow_ &= of_it.size() == 1;
  } else if (fabrics.size() > 1) {
    x_ = PlotX::fabric;
  }
}

std::string PlotAxes::plot_of(const SweepResult& result) const {
  if (x_ == PlotX::size) return result.fabric;
  if (x_ == PlotX::fabric) return {};
  const std::string label = without_ranks(result);
  if (!topologies_grow_) return label;
  const std::size_t colon = result.topology.find(':');
  return colon == std::string::npos ? label : without(label, result.topology.substr(colon));
}

PlotFiles::PlotFiles(const std::string& path, PlotY y, const std::vector<SweepResult>& planned)
    : y_(y), path_(path), axes_(planned) {
  if (!path.ends_with(".svg") && !path.ends_with(".png") && !path.ends_with(".pdf"))
    throw InputError(fmt::format("'{}': a plot's file ends in .svg, .png or .pdf", path));
  const OutputFile as_named(path);
  for (const SweepResult& result : planned)
    if (const std::string plot = axes_.plot_of(result); std::ranges::find(plots_, plot) == plots_.end()) plots_.push_back(plot);
  for (const std::string& plot : plots_) paths_.push_back(plots_.size() == 1 ? path : path_of_one(path, plot));
  for (const std::string& file : paths_) files_.emplace_back(file);
  if (!path.ends_with(".svg")) require_converter();
}

void PlotFiles::write(const std::vector<SweepResult>& results, const TitleOf& title_of) const {
  for (std::size_t p = 0; p < plots_.size(); ++p) {
    std::vector<SweepResult> of_plot;
    std::ranges::copy_if(results, std::back_inserter(of_plot),
                         [&](const SweepResult& result) { return axes_.plot_of(result) == plots_[p]; });
    if (lines_of(of_plot, axes_.x(), y_).empty()) continue;
    files_[p].write(picture_for(path_, chart_svg(plot_chart(of_plot, title_of(of_plot, axes_), y_, axes_.x(), measured_))));
  }
}

}  // namespace heddle::pictures

namespace heddle {

namespace {

/// "8", "2 to 64": least and most of them.
std::string range_text(const std::vector<SweepResult>& runs, int SweepResult::*of) {
  const auto [least, most] = std::ranges::minmax(runs, {}, of);
  return least.*of == most.*of ? fmt::format("{}", least.*of) : fmt::format("{} to {}", least.*of, most.*of);
}

}  // namespace

pictures::PlotTitle plot_title_of(const SweepDocument& document, const std::vector<SweepResult>& runs,
                                  const pictures::PlotAxes& axes) {
  const SweepResult& run = runs.front();
  const nlohmann::ordered_json& fabric = fabric_of(document, run);
  const auto text = [&](const char* key) {
    return fabric.contains(key) && fabric[key].is_string() ? fabric[key].get<std::string>() : std::string();
  };
  const std::string op = text("op") == "none" ? "" : " " + text("op");
  const std::string preset = text("preset").empty() ? "" : text("preset") + ": ";
  const std::string on = axes.x() == pictures::PlotX::fabric ? "" : " on " + axes.plot_of(run);
  const std::string size =
      axes.x() == pictures::PlotX::size || run.bytes == 0 ? "" : fmt::format(", {}", to_string(Bytes(run.bytes)));
  // Against fabrics, what they have in common alone.
  const std::string speeds = axes.x() == pictures::PlotX::fabric ? "" : fmt::format("; {}{}", preset, text("speeds"));
  return {fmt::format("{}{}{}", text("collective"), on, size),
          fmt::format("{} ranks, {}{}{}", range_text(runs, &SweepResult::ranks), text("datatype"), op, speeds)};
}

std::string svg_text_of(const SweepDocument& all, pictures::PlotY y) {
  const SweepDocument document = over_seeds(all);
  if (document.runs.empty()) throw InputError("a sweep without runs has nothing to draw");
  const SweepResult& first = document.runs.front();
  const pictures::PlotAxes axes(document.runs);
  for (const SweepResult& run : document.runs) {
    if (axes.plot_of(run) != axes.plot_of(first))
      throw InputError(fmt::format("{} and {}: a picture is of one fabric", first.fabric, run.fabric));
  }
  const pictures::PlotTitle title = plot_title_of(document, document.runs, axes);
  return pictures::chart_svg(pictures::plot_chart(document.runs, title, y, axes.x()));
}

}  // namespace heddle
