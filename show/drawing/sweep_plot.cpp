// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "lab/sweep/sweep_result.hpp"
#include "lab/tune/twins.hpp"
#include "show/drawing/chart.hpp"
#include "show/drawing/gnuplot.hpp"
#include "show/drawing/svg.hpp"

namespace heddle::pictures {

namespace {

/// Filled and open shapes in turn.
constexpr std::array<int, 8> kPoints = {7, 5, 9, 11, 13, 4, 6, 8};
constexpr std::size_t kMostLabels = 12;
constexpr std::size_t kLettersOfKey = 44;
constexpr std::size_t kLettersOfDetails = 96;

// Pixels.
constexpr double kAreaWidth = 640;
constexpr double kAreaHeight = 440;
constexpr double kAreaLeft = 92;    ///< labels and title of the y axis
constexpr double kAreaTop = 44;     ///< the headline
constexpr double kDetailLine = 17;  ///< of what stands below it
constexpr double kUnderArea = 96;   ///< labels and title of the x axis
constexpr double kNameLine = 21;
constexpr double kNameLetter = 7.4;
constexpr double kSample = 74;

struct PlotPoint {
  double x;
  double y;
  // Of a result over many seeds, where its quartiles are; else as y.
  double low = y;
  double high = y;

  bool operator==(const PlotPoint&) const = default;
};

struct Line {
  std::vector<std::string> algorithms;  ///< most are of one
  std::vector<PlotPoint> points;

  bool has_spread() const {
    return std::ranges::any_of(points, [](const PlotPoint& point) { return point.low != point.high; });
  }
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
std::optional<PlotPoint> point_of(const SweepResult& result, const std::vector<std::string>& fabrics, PlotX x, PlotY y) {
  if (!result.measured || result.measured->time <= Time()) return std::nullopt;
  const auto ps = static_cast<double>(result.measured->time.ps());
  const auto bytes = static_cast<double>(result.bytes);
  const auto height_of = [&](double of) { return y == PlotY::time ? of / 1e6 : bytes / of * 1e3; };
  const double height = height_of(ps);
  if (height <= 0 || (x == PlotX::size && result.bytes <= 0)) return std::nullopt;
  PlotPoint point{bytes, height};
  if (x == PlotX::ranks) point.x = static_cast<double>(result.ranks);
  if (x == PlotX::fabric) point.x = static_cast<double>(std::ranges::find(fabrics, result.fabric) - fabrics.begin());
  if (result.spread && result.spread->first_quartile > Time()) {
    point.low = height_of(static_cast<double>(result.spread->first_quartile.ps()));
    point.high = height_of(static_cast<double>(result.spread->third_quartile.ps()));
  }
  return point;
}

/// In the order in which algorithms first come; those with the same points are one line.
std::vector<Line> lines_of(const std::vector<SweepResult>& results, PlotX x, PlotY y) {
  const std::vector<std::string> fabrics = fabrics_of(results);
  std::vector<Line> of_one;
  for (const SweepResult& result : results) {
    const std::optional<PlotPoint> point = point_of(result, fabrics, x, y);
    if (!point) continue;
    auto line = std::ranges::find_if(of_one, [&](const Line& known) { return known.is_of(result.algorithm); });
    if (line == of_one.end()) line = of_one.insert(line, {{result.algorithm}, {}});
    line->points.push_back(*point);
  }
  std::vector<Line> lines;
  for (Line& line : of_one) {
    std::ranges::stable_sort(line.points, {}, &PlotPoint::x);
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
    return std::ranges::find(line->points, static_cast<double>(bytes), &PlotPoint::x);
  };
  const auto below = at(crossing.below);
  const auto above = at(crossing.above);
  if (below == line->points.end() || above == line->points.end()) return std::nullopt;
  const auto time = [&](const PlotPoint& point) { return y == PlotY::time ? point.y : point.x / point.y; };
  const double part =
      (*crossing.at - static_cast<double>(crossing.below)) / static_cast<double>(crossing.above - crossing.below);
  const double between = time(*below) * (1 - part) + time(*above) * part;
  return y == PlotY::time ? between : *crossing.at / between;
}

std::string terminal(PlotFormat format, double width, double height) {
  const auto wide = static_cast<int>(std::lround(width));
  const auto high = static_cast<int>(std::lround(height));
  switch (format) {
    case PlotFormat::svg:
      return fmt::format("set terminal svg size {},{} fixed enhanced font 'DejaVu Sans,13' background rgb 'white'\n", wide,
                         high);
    case PlotFormat::png:
      return fmt::format("set terminal pngcairo size {},{} enhanced font 'DejaVu Sans,10' background rgb 'white'\n", wide,
                         high);
    case PlotFormat::pdf:
      break;
  }
  return fmt::format("set terminal pdfcairo size {:.2f}in,{:.2f}in enhanced font 'DejaVu Sans,9'\n", width / 100, height / 100);
}

/// "'1KiB' 1024, '4KiB' 4096"
std::string tics_text(const std::vector<ChartTick>& ticks) {
  std::string text;
  for (const ChartTick& tick : ticks)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", gnuplot_text(tick.label), tick.value);
  return text;
}

class PlotScript {
 public:
  PlotScript(const std::vector<SweepResult>& results, const PlotTitle& title, PlotX x, PlotY y)
      : x_(x), y_(y), title_(title), fabrics_(fabrics_of(results)), lines_(lines_of(results, x, y)) {
    if (lines_.empty()) throw InputError("nothing was measured that has a size and a time: there is nothing to draw");
    if (x == PlotX::size)
      for (const Crossing& crossing : crossings_of(results))
        marks_.push_back({crossing, height_at(lines_, crossing.to, crossing, y)});
    if (!title.details.empty()) details_ = wrapped(title.details, kLettersOfDetails);
    for (const Line& line : lines_) names_.push_back(shared_name(line.algorithms, kLettersOfKey));
    if (!marks_.empty()) names_.push_back("the best: " + marks_.front().crossing.from);
    for (std::size_t i = 0; i < std::min(marks_.size(), kMostLabels); ++i)
      names_.push_back(mark_title(i + 1, marks_[i].crossing));
  }

  std::string text(PlotFormat format) const {
    return terminal(format, width(), height()) + place() + axes() + data() + labels() + plot();
  }

 private:
  struct Mark {
    Crossing crossing;
    std::optional<double> y;  ///< no value: it has no place
  };

  // ---- where everything stands: the plot's area is always the same ----

  double key_width() const {
    std::size_t letters = 0;
    for (const std::string& name : names_) letters = std::max(letters, name.size());
    return kSample + kNameLetter * static_cast<double>(letters);
  }
  double width() const { return kAreaLeft + kAreaWidth + 16 + key_width(); }
  double top() const { return kAreaTop + kDetailLine * static_cast<double>(details_.size()) + 6; }
  double below() const {
    std::size_t letters = 0;
    for (const std::string& fabric : fabrics_) letters = std::max(letters, fabric.size());
    return x_ == PlotX::fabric ? kUnderArea + 5.0 * static_cast<double>(letters) : kUnderArea;
  }
  double height() const { return top() + std::max(kAreaHeight + below(), kNameLine * static_cast<double>(names_.size()) + 20); }

  double across(double pixels) const { return pixels / width(); }
  double up(double pixels) const { return 1 - pixels / height(); }

  std::string place() const {
    std::string text = "set encoding utf8\n";
    text += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n", across(kAreaLeft),
                        across(kAreaLeft + kAreaWidth));
    text += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n", up(top()), up(top() + kAreaHeight));
    text += fmt::format("set key at screen {:.5f},{:.5f} left top vertical Left reverse noenhanced samplen 3 spacing 1.1\n",
                        across(kAreaLeft + kAreaWidth + 16), up(top() - 4));
    text += fmt::format("set label {} at screen {:.5f},{:.5f} left noenhanced font ',15'\n", gnuplot_text(title_.headline),
                        across(kAreaLeft), up(28));
    for (std::size_t i = 0; i < details_.size(); ++i)
      text += fmt::format("set label {} at screen {:.5f},{:.5f} left noenhanced font ',11'\n", gnuplot_text(details_[i]),
                          across(kAreaLeft), up(kAreaTop + 6 + kDetailLine * static_cast<double>(i)));
    return text;
  }

  // ---- what it shows ----

  std::vector<double> values(double PlotPoint::*of) const {
    std::vector<double> all;
    for (const Line& line : lines_)
      for (const PlotPoint& point : line.points) all.push_back(point.*of);
    return all;
  }

  std::string axes() const {
    std::vector<double> heights = values(&PlotPoint::y);
    for (double PlotPoint::*of : {&PlotPoint::low, &PlotPoint::high})
      std::ranges::copy(values(of), std::back_inserter(heights));
    const ChartScale y = scale_of_y({.title = {}, .is_log = true}, heights);
    std::string text = y_ == PlotY::time ? "set ylabel 'Time (us)'\n" : "set ylabel 'Goodput (GB/s)'\n";
    text += fmt::format("set logscale y\nset yrange [{}:{}]\nset ytics ({})\n", y.least, y.most, tics_text(y.ticks));
    text += "set grid xtics ytics lc rgb '#dddddd' lt 1\n";
    return text + x_axis();
  }

  /// Whether the best changes anywhere at a size that is known.
  bool has_circles() const {
    return std::ranges::any_of(marks_, [](const Mark& mark) { return mark.y.has_value(); });
  }

  std::string x_axis() const {
    if (x_ == PlotX::fabric) {
      std::vector<ChartTick> ticks;
      for (std::size_t i = 0; i < fabrics_.size(); ++i) ticks.push_back({static_cast<double>(i), fabrics_[i]});
      return fmt::format("set xrange [-0.5:{}]\nset xtics ({}) rotate by -35 noenhanced\n",
                         static_cast<double>(fabrics_.size()) - 0.5, tics_text(ticks));
    }
    const bool of_sizes = x_ == PlotX::size;
    const ChartAxis axis = {
        .title = {}, .is_log = true, .labels = of_sizes ? ChartAxis::Labels::bytes : ChartAxis::Labels::counts};
    const ChartScale x = scale_of_x(axis, values(&PlotPoint::x));
    return fmt::format("set xlabel '{}'\nset logscale x\nset xrange [{}:{}]\nset xtics ({}){}\n",
                       of_sizes ? "Size of the vector" : "Ranks", x.least, x.most, tics_text(x.ticks),
                       of_sizes ? " rotate by -35" : "");
  }

  std::string data() const {
    std::string text;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      text += fmt::format("$line{} << END\n", i);
      for (const PlotPoint& point : lines_[i].points)
        text += lines_[i].has_spread() ? fmt::format("{} {} {} {}\n", point.x, point.y, point.low, point.high)
                                       : fmt::format("{} {}\n", point.x, point.y);
      text += "END\n";
    }
    if (!has_circles()) return text;
    text += "$best << END\n";
    for (const Mark& mark : marks_)
      if (mark.y) text += fmt::format("{} {}\n", *mark.crossing.at, *mark.y);
    return text + "END\n";
  }

  /// At each crossing its number; in the key, what changes there.
  std::string labels() const {
    std::string text;
    for (std::size_t i = 0; i < std::min(marks_.size(), kMostLabels); ++i) {
      if (!marks_[i].y) continue;
      const double at = *marks_[i].crossing.at;
      text += fmt::format("set arrow from {0},graph 0 to {0},{1} nohead lc rgb '#999999' dt 2 back\n", at, *marks_[i].y);
      text += fmt::format("set label '{}' at {},{} center offset 0,{} front font ',12'\n", i + 1, at, *marks_[i].y,
                          y_ == PlotY::time ? "-1.2" : "1.2");
    }
    return text;
  }

  /// "1: from 225KiB, swing_bandwidth", "2: between 1MiB and 4MiB, chain"
  static std::string mark_title(std::size_t number, const Crossing& crossing) {
    if (crossing.at) return fmt::format("{}: from {}, {}", number, rough_size_text(*crossing.at), crossing.to);
    return fmt::format("{}: between {} and {}, {}", number, to_string(Bytes(crossing.below)), to_string(Bytes(crossing.above)),
                       crossing.to);
  }

  std::string plot() const {
    const std::string_view style = x_ == PlotX::fabric ? "points" : "linespoints";
    std::string text = "plot ";
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      text += fmt::format("{}$line{} using 1:2 with {} lc rgb '{}' pt {} ps 0.8 lw 1.6 dt {} title {}", i > 0 ? ", \\\n  " : "",
                          i, style, line_color(i), kPoints.at(i % kPoints.size()),
                          1 + static_cast<int>(i / kLineColors.size() % 4), gnuplot_text(names_[i]));
      if (lines_[i].has_spread())
        text += fmt::format(", \\\n  $line{} using 1:2:3:4 with yerrorbars lc rgb '{}' ps 0 lw 1.2 notitle", i, line_color(i));
    }
    if (marks_.empty()) return text + '\n';
    text += ", \\\n  ";
    text += has_circles() ? "$best using 1:2 with points lc rgb '#000000' pt 6 ps 2.2 lw 2 title " : "keyentry title ";
    text += gnuplot_text(names_[lines_.size()]);
    for (std::size_t i = lines_.size() + 1; i < names_.size(); ++i)
      text += fmt::format(", \\\n  keyentry title {}", gnuplot_text(names_[i]));
    return text + '\n';
  }

  PlotX x_;
  PlotY y_;
  PlotTitle title_;
  std::vector<std::string> details_;
  std::vector<std::string> fabrics_;
  std::vector<Line> lines_;
  std::vector<Mark> marks_;
  std::vector<std::string> names_;  ///< in the key: of lines, then of marks
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

bool has_points(const std::vector<SweepResult>& results, PlotX x, PlotY y) { return !lines_of(results, x, y).empty(); }

std::string plot_script(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotFormat format, PlotX x) {
  return PlotScript(results, title, x, y).text(format);
}

}  // namespace heddle::pictures
