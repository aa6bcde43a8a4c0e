// SPDX-License-Identifier: Apache-2.0
// A line chart as a value: curves, the values that a source prints as marks beside them, and who it says is first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::pictures {

struct ChartAxis {
  enum class Labels : std::uint8_t {
    numbers,
    counts,  ///< whole numbers; log: powers of two
    bytes,   ///< "32KiB"; log
    names,   ///< of `names`, the first at 0, the second at 1, …; slanted
  };

  std::string title;  ///< with its unit: "Time (us)"
  bool is_log = false;
  Labels labels = Labels::numbers;
  std::optional<double> most = {};  ///< lines leave the panel above it
  std::vector<std::string> names = {};
};

struct ChartPoint {
  double x;
  double y;
  std::optional<double> low = {};  ///< with `high`: a bar from one to the other, quartiles say
  std::optional<double> high = {};

  bool operator==(const ChartPoint&) const = default;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  ///< from left to right
};

/// A value that a source prints, or that was measured.
struct ChartMark {
  enum class Bound : std::uint8_t { none, at_least, at_most };

  std::string line;  ///< whose it is: it has that line's colour
  ChartPoint at;
  Bound bound = Bound::none;
};

/// What a source says that a line reaches, without saying where.
struct ChartLevel {
  std::string line;
  double y;
};

/// That a source names a line as the first at x.
struct ChartFirst {
  double x;
  std::string line;  ///< of none of the lines: grey
};

/// Where another line becomes the best: a number in the panel, and in the key what changes there.
struct ChartChange {
  std::optional<ChartPoint> at;  ///< a circle; no value: its place is not known
  std::string text;              ///< in the key, behind the number
};

struct ChartPanel {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartLine> lines;
  std::vector<ChartMark> printed = {};
  std::vector<ChartFirst> printed_first = {};
  std::vector<ChartLevel> printed_most = {};
  std::string first_best = {};  ///< in the key, before the changes: "the best: ring"
  std::vector<ChartChange> changes = {};
  bool best_is_most = false;  ///< numbers of changes stand above their circles, else below
  bool has_lines = true;      ///< from point to point
};

enum class ChartLook : std::uint8_t {
  panels,  ///< beside each other, two in a row; the key below them
  plot,  ///< one, larger; the key beside it, `details` on as many lines as they need, and lines that differ in shape and dashes, too
};

/// Lines of one name have one colour in all panels. The area of a panel is as large in every chart of one look.
struct Chart {
  std::string title;
  std::string details = {};
  std::vector<ChartPanel> panels;
  ChartLook look = ChartLook::panels;
  std::string marks_are = "printed";  ///< in the key
};

/// As an SVG file. Throws InputError if a panel has no point that its axes can show.
std::string chart_svg(const Chart& chart);

// Where a chart's values lie, and where its axes are labelled.

struct ChartTick {
  double value;
  std::string label;
};

/// From a least to a greatest value, with at least two ticks between them.
struct ChartScale {
  bool is_log = false;
  double least = 0;
  double most = 1;
  std::vector<ChartTick> ticks = {};

  /// 0 at `least`, 1 at `most`.
  double part(double value) const;
};

/// Of a horizontal axis: as far as the values, which must not be empty.
ChartScale scale_of_x(const ChartAxis& axis, const std::vector<double>& values);
/// Of a vertical axis: a little further, to round numbers, from 0 where all are positive and it is not logarithmic.
ChartScale scale_of_y(const ChartAxis& axis, const std::vector<double>& values);

}  // namespace heddle::pictures
