// SPDX-License-Identifier: Apache-2.0
#include "show/plot/plot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "show/plot/gnuplot.hpp"
#include "show/plot/line_colors.hpp"

namespace heddle::pictures {

namespace {

/// Filled and open shapes in turn.
constexpr std::array<int, 8> kPoints = {7, 5, 9, 11, 13, 4, 6, 8};
constexpr std::size_t kMostLabels = 12;

struct PlotPoint {
  std::int64_t bytes;
  double y;
};

struct Line {
  std::string algorithm;
  std::vector<PlotPoint> points;
};

double value_of(const SweepMeasurement& measured, std::int64_t bytes, PlotY y) {
  const auto ps = static_cast<double>(measured.time.ps());
  return y == PlotY::time ? ps / 1e6 : static_cast<double>(bytes) / ps * 1e3;
}

/// In the order in which algorithms first come. Sizes and times of 0 have no place on log axes.
std::vector<Line> lines_of(const std::vector<SweepResult>& results, PlotY y) {
  std::vector<Line> lines;
  for (const SweepResult& result : results) {
    if (!result.measured || result.bytes <= 0 || result.measured->time <= Time()) continue;
    auto line = std::ranges::find(lines, result.algorithm, &Line::algorithm);
    if (line == lines.end()) line = lines.insert(line, {result.algorithm, {}});
    line->points.push_back({result.bytes, value_of(*result.measured, result.bytes, y)});
  }
  return lines;
}

/// Where the curves of the best algorithms are at a size between two measured ones.
std::optional<double> height_at(const std::vector<Line>& lines, const std::string& algorithm, const Crossing& crossing,
                                PlotY y) {
  const auto line = std::ranges::find(lines, algorithm, &Line::algorithm);
  if (line == lines.end()) return std::nullopt;
  const auto at = [&](std::int64_t bytes) { return std::ranges::find(line->points, bytes, &PlotPoint::bytes); };
  const auto below = at(crossing.below);
  const auto above = at(crossing.above);
  if (below == line->points.end() || above == line->points.end()) return std::nullopt;
  const auto time = [&](const PlotPoint& point) {
    return y == PlotY::time ? point.y : static_cast<double>(point.bytes) / point.y;
  };
  const double part =
      (crossing.at - static_cast<double>(crossing.below)) / static_cast<double>(crossing.above - crossing.below);
  const double between = time(*below) * (1 - part) + time(*above) * part;
  return y == PlotY::time ? between : crossing.at / between;
}

/// Three digits are enough for what is read off a line between two sizes: "225KiB".
std::string rounded_size(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.3g}{}", bytes, kUnits.at(unit));
}

std::string terminal(PlotFormat format, double height) {
  const auto pixels = static_cast<int>(std::lround(height));
  switch (format) {
    case PlotFormat::svg:
      return fmt::format("set terminal svg size 1100,{} fixed enhanced font 'DejaVu Sans,13' background rgb 'white'\n", pixels);
    case PlotFormat::png:
      return fmt::format("set terminal pngcairo size 1100,{} enhanced font 'DejaVu Sans,11' background rgb 'white'\n", pixels);
    case PlotFormat::pdf:
      break;
  }
  return fmt::format("set terminal pdfcairo size 11in,{:.2f}in enhanced font 'DejaVu Sans,11'\n", height / 100);
}

/// Powers of 16 or 4 by their names: "64KiB".
std::string size_tics(std::int64_t least, std::int64_t most) {
  const int factor = std::log2(static_cast<double>(most) / static_cast<double>(least)) > 22 ? 16 : 4;
  std::string tics;
  for (std::int64_t size = 1; size <= most * factor && size > 0 && size < std::int64_t{1} << 56; size *= factor)
    if (size * factor > least) tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ", ", to_string(Bytes(size)), size);
  return tics;
}

class PlotScript {
 public:
  PlotScript(const std::vector<SweepResult>& results, PlotY y) : y_(y), lines_(lines_of(results, y)) {
    if (lines_.empty()) throw InputError("nothing was measured that has a size and a time: there is nothing to draw");
    for (const Crossing& crossing : crossings_of(results))
      if (const std::optional<double> height = height_at(lines_, crossing.to, crossing, y))
        marks_.push_back({crossing, *height});
    for (const Line& line : lines_)
      for (const PlotPoint& point : line.points) {
        least_ = std::min(least_, point.bytes);
        most_ = std::max(most_, point.bytes);
        lowest_ = std::min(lowest_, point.y);
        highest_ = std::max(highest_, point.y);
      }
  }

  std::string text(const PlotTitle& title, PlotFormat format) const {
    const double height =
        std::max(620.0, 130 + 21.0 * static_cast<double>(lines_.size() + 2 * std::min(marks_.size(), kMostLabels)));
    return terminal(format, height) + axes(title) + data() + labels() + plot();
  }

 private:
  struct Mark {
    Crossing crossing;
    double y;
  };

  std::string axes(const PlotTitle& title) const {
    std::string text = "set encoding utf8\n";
    text += fmt::format("set tmargin 4.5\nset title {} noenhanced font ',15' offset 0,{}\n", gnuplot_text(title.headline),
                        title.details.empty() ? "0" : "0.6");
    if (!title.details.empty())
      text += fmt::format("set label {} at graph 0.5,1.025 center noenhanced font ',11'\n", gnuplot_text(title.details));
    text += "set xlabel 'Size of the vector'\n";
    text += y_ == PlotY::time ? "set ylabel 'Time (us)'\n" : "set ylabel 'Goodput (GB/s)'\n";
    text += "set logscale xy\n";
    text += fmt::format("set xtics ({}) rotate by -35\n", size_tics(least_, most_));
    text += fmt::format("set xrange [{}:{}]\n", static_cast<double>(least_) / 1.5, static_cast<double>(most_) * 1.5);
    text += fmt::format("set yrange [{}:{}]\n", lowest_ / 2, highest_ * 2);
    text += "set format y '%g'\nset grid xtics ytics lc rgb '#dddddd' lt 1\n";
    text += "set key outside right top vertical Left reverse noenhanced samplen 3 spacing 1.1\n";
    return text;
  }

  std::string data() const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      text += fmt::format("$line{} << END\n", i);
      for (const PlotPoint& point : lines_[i].points) text += fmt::format("{} {}\n", point.bytes, point.y);
      text += "END\n";
    }
    if (marks_.empty()) return text;
    text += "$best << END\n";
    for (const Mark& mark : marks_) text += fmt::format("{} {}\n", mark.crossing.at, mark.y);
    return text + "END\n";
  }

  /// At each crossing its number; in the key, what changes there.
  std::string labels() const {
    std::string text;
    for (std::size_t i = 0; i < std::min(marks_.size(), kMostLabels); ++i) {
      text += fmt::format("set arrow from {0},graph 0 to {0},{1} nohead lc rgb '#999999' dt 2 back\n", marks_[i].crossing.at,
                          marks_[i].y);
      text += fmt::format("set label '{}' at {},{} center offset 0,{} front font ',12'\n", i + 1, marks_[i].crossing.at,
                          marks_[i].y, y_ == PlotY::time ? "-1.2" : "1.2");
    }
    return text;
  }

  /// "1: from 225KiB, swing_bandwidth"
  static std::string mark_title(std::size_t number, const Crossing& crossing) {
    return fmt::format("{}: from {}, {}", number, rounded_size(crossing.at), crossing.to);
  }

  std::string plot() const {
    std::string text = "plot ";
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      text += fmt::format("{}$line{} using 1:2 with linespoints lc rgb '{}' pt {} ps 0.8 lw 1.6 dt {} title {}",
                          i > 0 ? ", \\\n  " : "", i, line_color(i), kPoints.at(i % kPoints.size()),
                          1 + static_cast<int>(i / kLineColors.size() % 4), gnuplot_text(lines_[i].algorithm));
    }
    if (marks_.empty()) return text + '\n';
    text += ", \\\n  $best using 1:2 with points lc rgb '#000000' pt 6 ps 2.2 lw 2 title " +
            gnuplot_text("the best: " + marks_.front().crossing.from);
    for (std::size_t i = 0; i < std::min(marks_.size(), kMostLabels); ++i)
      text += fmt::format(", \\\n  keyentry title {}", gnuplot_text(mark_title(i + 1, marks_[i].crossing)));
    return text + '\n';
  }

  PlotY y_;
  std::vector<Line> lines_;
  std::vector<Mark> marks_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_ = 0;
  double lowest_ = std::numeric_limits<double>::max();
  double highest_ = 0;
};

}  // namespace

PlotY parse_plot_y(std::string_view text) {
  if (text == "time") return PlotY::time;
  if (text == "goodput") return PlotY::goodput;
  throw InputError(fmt::format("'{}': time or goodput", text));
}

PlotFormat plot_format_of(std::string_view path) {
  if (path.ends_with(".svg")) return PlotFormat::svg;
  if (path.ends_with(".png")) return PlotFormat::png;
  if (path.ends_with(".pdf")) return PlotFormat::pdf;
  throw InputError(fmt::format("'{}': a plot's file ends in .svg, .png or .pdf", path));
}

std::string plot_script(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotFormat format) {
  return PlotScript(results, y).text(title, format);
}

}  // namespace heddle::pictures
