// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "core/errors.hpp"
#include "show/drawing/svg.hpp"

namespace heddle::pictures {

namespace {

// Pixels. The plot's area is the same in every chart, so that charts can be compared.
constexpr double kPlotWidth = 440;
constexpr double kPlotHeight = 300;
constexpr double kLeft = 74;
constexpr double kRight = 26;
constexpr double kAbove = 58;  ///< the panel's title, and who is first
constexpr double kBelow = 66;  ///< labels and title of the x axis
constexpr double kHead = 32;   ///< the title
constexpr double kDetails = 22;
constexpr double kKeyLine = 20;
constexpr double kPanelWidth = kLeft + kPlotWidth + kRight;
constexpr double kPanelHeight = kAbove + kPlotHeight + kBelow;
constexpr std::string_view kGrey = "#777777";

struct Pixel {
  double x;
  double y;
};

struct KeyEntry {
  enum class Shape : std::uint8_t { line, mark, at_least, at_most, most, first };

  Shape shape;
  std::string text;
  std::string color;
};

bool can_show(const ChartAxis& axis, double value) { return std::isfinite(value) && (!axis.is_log || value > 0); }

class ChartDrawing {
 public:
  explicit ChartDrawing(const Chart& chart)
      : chart_(chart),
        columns_(std::min<std::size_t>(chart.panels.size(), 2)),
        key_(key_of(chart)),
        svg_(width(), height(), chart.title) {
    if (chart.panels.empty()) throw InputError("a chart without panels has nothing to draw");
  }

  std::string text() {
    SvgDocument::add_text(svg_.root(), width() / 2, 24, chart_.title, {{"text-anchor", "middle"}, {"font-size", "16"}});
    if (!chart_.details.empty())
      SvgDocument::add_text(svg_.root(), width() / 2, 44, chart_.details,
                            {{"text-anchor", "middle"}, {"font-size", "12"}, {"fill", "#555555"}});
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const Pixel corner = {static_cast<double>(i % columns_) * kPanelWidth,
                            head() + static_cast<double>(i / columns_) * kPanelHeight};
      draw(chart_.panels[i], {corner.x + kLeft, corner.y + kAbove});
    }
    draw_key();
    return svg_.text();
  }

 private:
  double width() const { return static_cast<double>(columns_) * kPanelWidth; }
  double rows() const { return std::ceil(static_cast<double>(chart_.panels.size()) / static_cast<double>(columns_)); }
  double head() const { return kHead + (chart_.details.empty() ? 0 : kDetails); }
  double key_top() const { return head() + rows() * kPanelHeight; }

  /// Lines in the order in which they first come, then what the marks mean.
  std::vector<KeyEntry> key_of(const Chart& chart) {
    std::vector<KeyEntry> key;
    for (const ChartPanel& panel : chart.panels)
      for (const ChartLine& line : panel.lines)
        if (!colors_.contains(line.name)) {
          const std::string color(line_color(colors_.size()));
          colors_.emplace(line.name, color);
          key.push_back({KeyEntry::Shape::line, line.name, color});
        }
    const auto has = [&](ChartMark::Bound bound) {
      return std::ranges::any_of(chart.panels, [&](const ChartPanel& panel) {
        return std::ranges::find(panel.printed, bound, &ChartMark::bound) != panel.printed.end();
      });
    };
    const std::string black = "#000000";
    if (has(ChartMark::Bound::none)) key.push_back({KeyEntry::Shape::mark, "printed", black});
    if (has(ChartMark::Bound::at_least)) key.push_back({KeyEntry::Shape::at_least, "printed: at least", black});
    if (has(ChartMark::Bound::at_most)) key.push_back({KeyEntry::Shape::at_most, "printed: at most", black});
    if (std::ranges::any_of(chart.panels, [](const ChartPanel& panel) { return !panel.printed_most.empty(); }))
      key.push_back({KeyEntry::Shape::most, "printed: up to", black});
    if (std::ranges::any_of(chart.panels, [](const ChartPanel& panel) { return !panel.printed_first.empty(); }))
      key.push_back({KeyEntry::Shape::first, "printed: first at that size", black});
    return key;
  }

  static double width_of(const KeyEntry& entry) { return 44 + 7.2 * static_cast<double>(entry.text.size()); }

  double height() const {
    double x = kLeft;
    double lines = 1;
    for (const KeyEntry& entry : key_) {
      if (x > kLeft && x + width_of(entry) > width()) ++lines, x = kLeft;
      x += width_of(entry);
    }
    return key_top() + lines * kKeyLine + 12;
  }

  std::string color_of(const std::string& line) const {
    const auto known = colors_.find(line);
    return known == colors_.end() ? std::string(kGrey) : known->second;
  }

  void draw_key() {
    double x = kLeft;
    double y = key_top() + 8;
    for (const KeyEntry& entry : key_) {
      if (x > kLeft && x + width_of(entry) > width()) y += kKeyLine, x = kLeft;
      const Pixel at = {x + 14, y};
      switch (entry.shape) {
        case KeyEntry::Shape::line:
          draw_polyline({{at.x - 13, at.y}, {at.x + 13, at.y}}, entry.color);
          draw_dot(at, entry.color);
          break;
        case KeyEntry::Shape::mark:
          draw_mark(at, entry.color, ChartMark::Bound::none);
          break;
        case KeyEntry::Shape::at_least:
          draw_mark({at.x, at.y + 6}, entry.color, ChartMark::Bound::at_least);
          break;
        case KeyEntry::Shape::at_most:
          draw_mark({at.x, at.y - 6}, entry.color, ChartMark::Bound::at_most);
          break;
        case KeyEntry::Shape::most:
          draw_level({at.x - 13, at.y}, {at.x + 13, at.y}, entry.color);
          break;
        case KeyEntry::Shape::first:
          draw_first(at, std::string(kGrey));
          break;
      }
      SvgDocument::add_text(svg_.root(), x + 33, y + 4, entry.text);
      x += width_of(entry);
    }
  }

  void draw(const ChartPanel& panel, Pixel corner) {
    std::vector<double> xs;
    std::vector<double> ys;
    const auto take = [&](const ChartPoint& point) {
      if (!can_show(panel.x, point.x) || !can_show(panel.y, point.y)) return;
      xs.push_back(point.x);
      for (const double y : {point.y, point.low.value_or(point.y), point.high.value_or(point.y)}) ys.push_back(y);
    };
    for (const ChartLine& line : panel.lines) std::ranges::for_each(line.points, take);
    for (const ChartMark& mark : panel.printed) take(mark.at);
    for (const ChartLevel& level : panel.printed_most) ys.push_back(level.y);
    if (xs.empty()) throw InputError(fmt::format("'{}': no point to draw", chart_.title));
    for (const ChartFirst& first : panel.printed_first) xs.push_back(first.x);
    const ChartScale x = scale_of_x(panel.x, xs);
    const ChartScale y = scale_of_y(panel.y, ys);
    draw_axes(panel, corner, x, y);
    const auto at = [&](double of_x, double of_y) {
      return Pixel{corner.x + kPlotWidth * x.part(of_x), corner.y + kPlotHeight * (1 - y.part(of_y))};
    };
    // What leaves the panel is cut off: an inner svg shows nothing beyond its own edge.
    const double margin = 6;  // for a dot on the edge
    const std::string left = svg_number(corner.x - margin);
    const std::string top = svg_number(corner.y - margin);
    const std::string wide = svg_number(kPlotWidth + 2 * margin);
    const std::string high = svg_number(kPlotHeight + 2 * margin);
    layer_ = SvgDocument::add(svg_.root(), "svg",
                              {{"x", left},
                               {"y", top},
                               {"width", wide},
                               {"height", high},
                               {"viewBox", fmt::format("{} {} {} {}", left, top, wide, high)}});
    for (const ChartLine& line : panel.lines) draw_line(panel, line, at);
    layer_ = svg_.root();
    for (const ChartMark& mark : panel.printed) {
      const std::string color = color_of(mark.line);
      if (mark.at.low && mark.at.high) draw_bar(at(mark.at.x, *mark.at.low), at(mark.at.x, *mark.at.high), color);
      const auto drawn = draw_mark(at(mark.at.x, mark.at.y), color, mark.bound);
      SvgDocument::add_hint(drawn, fmt::format("{}: printed {:g} at {:g}", mark.line, mark.at.y, mark.at.x));
    }
    for (const ChartLevel& level : panel.printed_most) {
      const double height = corner.y + kPlotHeight * (1 - y.part(level.y));
      draw_level({corner.x, height}, {corner.x + kPlotWidth, height}, color_of(level.line));
    }
    for (const ChartFirst& first : panel.printed_first)
      SvgDocument::add_hint(draw_first({corner.x + kPlotWidth * x.part(first.x), corner.y - 12}, color_of(first.line)),
                            fmt::format("{}: printed as the first", first.line));
  }

  template <class At>
  void draw_line(const ChartPanel& panel, const ChartLine& line, At at) {
    const std::string color = color_of(line.name);
    std::vector<Pixel> pixels;
    for (const ChartPoint& point : line.points) {
      if (!can_show(panel.x, point.x) || !can_show(panel.y, point.y)) continue;
      pixels.push_back(at(point.x, point.y));
      if (point.low && point.high) draw_bar(at(point.x, *point.low), at(point.x, *point.high), color);
    }
    draw_polyline(pixels, color);
    for (const Pixel& pixel : pixels) draw_dot(pixel, color);
  }

  void draw_axes(const ChartPanel& panel, Pixel corner, const ChartScale& x, const ChartScale& y) {
    const double bottom = corner.y + kPlotHeight;
    const double middle = corner.x + kPlotWidth / 2;
    SvgDocument::add_text(svg_.root(), middle, corner.y - 34, panel.title, {{"text-anchor", "middle"}, {"font-size", "14"}});
    for (const ChartTick& tick : y.ticks) {
      const double at = bottom - kPlotHeight * y.part(tick.value);
      if (at < corner.y - 0.5 || at > bottom + 0.5) continue;
      const bool is_zero = !y.is_log && tick.value == 0 && y.least < 0;
      draw_rule({corner.x, at}, {corner.x + kPlotWidth, at}, is_zero ? "#777777" : "#dddddd");
      SvgDocument::add_text(svg_.root(), corner.x - 8, at + 4, tick.label, {{"text-anchor", "end"}});
    }
    for (const ChartTick& tick : x.ticks) {
      const double at = corner.x + kPlotWidth * x.part(tick.value);
      draw_rule({at, corner.y}, {at, bottom}, "#eeeeee");
      SvgDocument::add_text(svg_.root(), at, bottom + 18, tick.label, {{"text-anchor", "middle"}, {"font-size", "11"}});
    }
    SvgDocument::add(svg_.root(), "rect",
                     {{"x", svg_number(corner.x)},
                      {"y", svg_number(corner.y)},
                      {"width", svg_number(kPlotWidth)},
                      {"height", svg_number(kPlotHeight)},
                      {"fill", "none"},
                      {"stroke", "#777777"}});
    SvgDocument::add_text(svg_.root(), middle, bottom + 42, panel.x.title, {{"text-anchor", "middle"}, {"font-size", "13"}});
    const double left = corner.x - 56;
    const double height = corner.y + kPlotHeight / 2;
    SvgDocument::add_text(svg_.root(), left, height, panel.y.title,
                          {{"text-anchor", "middle"},
                           {"font-size", "13"},
                           {"transform", fmt::format("rotate(-90 {} {})", svg_number(left), svg_number(height))}});
  }

  void draw_rule(Pixel from, Pixel to, const std::string& color) {
    SvgDocument::add(layer_, "line",
                     {{"x1", svg_number(from.x)},
                      {"y1", svg_number(from.y)},
                      {"x2", svg_number(to.x)},
                      {"y2", svg_number(to.y)},
                      {"stroke", color}});
  }

  void draw_level(Pixel from, Pixel to, const std::string& color) {
    SvgDocument::add(layer_, "line",
                     {{"x1", svg_number(from.x)},
                      {"y1", svg_number(from.y)},
                      {"x2", svg_number(to.x)},
                      {"y2", svg_number(to.y)},
                      {"stroke", color},
                      {"stroke-width", "2"},
                      {"stroke-dasharray", "6 4"}});
  }

  void draw_bar(Pixel low, Pixel high, const std::string& color) {
    draw_rule(low, high, color);
    for (const Pixel& end : {low, high}) draw_rule({end.x - 5, end.y}, {end.x + 5, end.y}, color);
  }

  void draw_polyline(const std::vector<Pixel>& pixels, const std::string& color) {
    std::string points;
    for (const Pixel& pixel : pixels)
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(pixel.x), svg_number(pixel.y));
    SvgDocument::add(layer_, "polyline", {{"points", points}, {"fill", "none"}, {"stroke", color}, {"stroke-width", "1.8"}});
  }

  void draw_dot(Pixel at, const std::string& color) {
    SvgDocument::add(layer_, "circle", {{"cx", svg_number(at.x)}, {"cy", svg_number(at.y)}, {"r", "3"}, {"fill", color}});
  }

  /// A diamond, or a triangle that points to where the value may be.
  pugi::xml_node draw_mark(Pixel at, const std::string& color, ChartMark::Bound bound) {
    const double up = bound == ChartMark::Bound::at_most ? 1 : -1;
    const std::string shape = bound == ChartMark::Bound::none
                                  ? fmt::format("M{} {}l8 8l-8 8l-8 -8z", svg_number(at.x), svg_number(at.y - 8))
                                  : fmt::format("M{} {}l8 0l-8 {}l-8 {}z", svg_number(at.x), svg_number(at.y),
                                                svg_number(up * 13), svg_number(up * -13));
    return SvgDocument::add(
        svg_.root(), "path",
        {{"d", shape}, {"fill", "#ffffff"}, {"fill-opacity", "0.6"}, {"stroke", color}, {"stroke-width", "2"}});
  }

  pugi::xml_node draw_first(Pixel at, const std::string& color) {
    return SvgDocument::add(
        svg_.root(), "rect",
        {{"x", svg_number(at.x - 5)}, {"y", svg_number(at.y - 5)}, {"width", "10"}, {"height", "10"}, {"fill", color}});
  }

  const Chart& chart_;
  std::size_t columns_;
  std::map<std::string, std::string> colors_;  ///< of lines; before key_, which fills it
  std::vector<KeyEntry> key_;
  SvgDocument svg_;
  pugi::xml_node layer_ = svg_.root();  ///< what is drawn into
};

}  // namespace

std::string chart_svg(const Chart& chart) { return ChartDrawing(chart).text(); }

}  // namespace heddle::pictures
