// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string_view>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "show/drawing/svg.hpp"

namespace heddle::pictures {

namespace {

// Points.
constexpr double kLeft = 74;
constexpr double kRight = 26;
constexpr double kBelow = 66;  ///< labels and title of the x axis
constexpr double kHead = 32;   ///< the title
constexpr double kKeyLine = 20;
constexpr double kKeySample = 33;
constexpr double kKeyLetter = 7.2;
constexpr auto kGrey = "#777777";
constexpr auto kBlack = "#000000";

/// What a look says, in pixels. A panel's area is the same in every chart, so that charts can be compared.
struct Measures {
  double width = 440;
  double height = 300;
  double above = 58;  ///< the panel's title, and who is first
  double details = 22;
};

constexpr Measures measures_of(ChartLook look) {
  return look == ChartLook::plot ? Measures{.width = 640, .height = 440, .above = 22, .details = 17} : Measures{};
}

constexpr std::size_t kMostChanges = 12;  // with a number
constexpr std::size_t kLettersOfDetails = 96;

/// Of a line of a plot: lines of one colour differ in them.
struct LineLook {
  std::string color;
  std::size_t shape = 0;
  std::string_view dashes = {};
};

// Filled and open in turn.
constexpr std::array<std::string_view, 8> kShapes = {"",  // a dot
                                                     "M-3.5 -3.5h7v7h-7z",
                                                     "M0 -4.5l4.5 8h-9z",
                                                     "M0 4.5l4.5 -8h-9z",
                                                     "M0 -5l5 5l-5 5l-5 -5z",
                                                     "M-3.5 -3.5h7v7h-7z",
                                                     "M0 -4.5l4.5 8h-9z",
                                                     "M0 -5l5 5l-5 5l-5 -5z"};
constexpr std::size_t kFilledShapes = 5;
constexpr std::array<std::string_view, 4> kDashes = {"", "7 4", "2 3", "9 3 2 3"};

struct KeyEntry {
  std::string text;
  std::function<void(Point at)> draw = [](Point) {};
};

bool can_show(const ChartAxis& axis, double value) { return std::isfinite(value) && (!axis.is_log || value > 0); }

class ChartDrawing {
 public:
  explicit ChartDrawing(const Chart& chart)
      : chart_(chart),
        is_plot_(chart.look == ChartLook::plot),
        measures_(measures_of(chart.look)),
        details_(is_plot_                ? wrapped(chart.details, kLettersOfDetails)
                 : chart.details.empty() ? std::vector<std::string>()
                                         : std::vector<std::string>{chart.details}),
        columns_(std::min<std::size_t>(chart.panels.size(), 2)),
        key_(key_of(chart)),
        svg_(width(), height(), chart.title) {
    if (chart.panels.empty()) throw InputError("a chart without panels has nothing to draw");
  }

  std::string text() {
    SvgDocument::add_text(svg_.root(), width() / 2, 24, chart_.title, {{"text-anchor", "middle"}, {"font-size", "16"}});
    for (std::size_t i = 0; i < details_.size(); ++i)
      SvgDocument::add_text(svg_.root(), width() / 2, 44 + measures_.details * static_cast<double>(i), details_[i],
                            {{"text-anchor", "middle"}, {"font-size", "12"}, {"fill", "#555555"}});
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const Point corner = {static_cast<double>(i % columns_) * panel_width(),
                            head() + static_cast<double>(i / columns_) * panel_height()};
      draw(chart_.panels[i], {corner.x + kLeft, corner.y + measures_.above});
    }
    draw_key();
    return svg_.text();
  }

 private:
  double panel_width() const { return kLeft + measures_.width + kRight; }
  /// Slanted names take what they need below the panel.
  double panel_height() const {
    std::size_t letters = 0;
    for (const ChartPanel& panel : chart_.panels)
      for (const std::string& name : panel.x.names) letters = std::max(letters, name.size());
    return measures_.above + measures_.height + kBelow + 4.2 * static_cast<double>(letters);
  }
  double panels_width() const { return static_cast<double>(columns_) * panel_width(); }
  double width() const {
    double key = 0;
    for (const KeyEntry& entry : key_) key = std::max(key, width_of(entry));
    return panels_width() + (is_plot_ ? key : 0);
  }
  double rows() const { return std::ceil(static_cast<double>(chart_.panels.size()) / static_cast<double>(columns_)); }
  double head() const { return kHead + measures_.details * static_cast<double>(details_.size()); }
  double key_top() const { return head() + (is_plot_ ? measures_.above : rows() * panel_height()); }
  Point key_corner() const { return {is_plot_ ? panels_width() : kLeft, key_top() + 8}; }

  /// Lines in the order in which they first come, then what the marks mean.
  std::vector<KeyEntry> key_of(const Chart& chart) {
    std::vector<KeyEntry> key;
    for (const ChartPanel& panel : chart.panels)
      for (const ChartLine& line : panel.lines)
        if (!looks_.contains(line.name)) {
          const LineLook look = look_of(looks_.size());
          looks_.emplace(line.name, look);
          key.push_back({line.name, [this, look](Point at) {
                           if (std::ranges::any_of(chart_.panels, &ChartPanel::has_lines))
                             draw_polyline({{at.x - 13, at.y}, {at.x + 13, at.y}}, look);
                           draw_dot(at, look);
                         }});
        }
    const auto any = [&](auto has) { return std::ranges::any_of(chart.panels, has); };
    const auto add_mark = [&](ChartMark::Bound bound, double down, std::string text) {
      if (any([&](const ChartPanel& panel) {
            return std::ranges::find(panel.printed, bound, &ChartMark::bound) != panel.printed.end();
          }))
        key.push_back({std::move(text), [=, this](Point at) { draw_mark({at.x, at.y + down}, kBlack, bound); }});
    };
    add_mark(ChartMark::Bound::none, 0, chart.marks_are);
    add_mark(ChartMark::Bound::at_least, 6, "printed: at least");
    add_mark(ChartMark::Bound::at_most, -6, "printed: at most");
    if (any([](const ChartPanel& panel) { return !panel.printed_most.empty(); }))
      key.push_back({"printed: up to", [this](Point at) { draw_level({at.x - 13, at.y}, {at.x + 13, at.y}, kBlack); }});
    if (any([](const ChartPanel& panel) { return !panel.printed_first.empty(); }))
      key.push_back({"printed: first at that size", [this](Point at) { draw_first(at, kGrey); }});
    for (const ChartPanel& panel : chart.panels) {
      const bool has_circles = std::ranges::any_of(panel.changes, [](const ChartChange& of) { return of.at.has_value(); });
      if (!panel.first_best.empty())
        key.push_back({panel.first_best, [this, has_circles](Point at) {
                         if (has_circles) draw_circle(at);
                       }});
      for (std::size_t i = 0; i < std::min(panel.changes.size(), kMostChanges); ++i)
        key.push_back({fmt::format("{}: {}", i + 1, panel.changes[i].text)});
    }
    return key;
  }

  /// Of the i-th line. Where few lines are in several panels, dots say enough.
  LineLook look_of(std::size_t i) const {
    LineLook look{.color = std::string(line_color(i))};
    if (is_plot_) look.shape = i % kShapes.size();
    if (is_plot_) look.dashes = kDashes.at(i / kLineColors.size() % kDashes.size());
    return look;
  }

  static double width_of(const KeyEntry& entry) {
    return kKeySample + 11 + kKeyLetter * static_cast<double>(entry.text.size());
  }

  /// Where the entry behind one at `at` stands.
  Point behind(Point at, const KeyEntry& entry) const {
    return is_plot_ ? Point{at.x, at.y + kKeyLine} : Point{at.x + width_of(entry), at.y};
  }
  Point place_of(Point at, const KeyEntry& entry) const {
    return !is_plot_ && at.x > kLeft && at.x + width_of(entry) > width() ? Point{kLeft, at.y + kKeyLine} : at;
  }

  double height() const {
    Point at = key_corner();
    double last = at.y;
    for (const KeyEntry& entry : key_) {
      at = place_of(at, entry);
      last = at.y;
      at = behind(at, entry);
    }
    return std::max(last + kKeyLine + 4, is_plot_ ? head() + panel_height() : 0);
  }

  LineLook look_of(const std::string& line) const {
    const auto known = looks_.find(line);
    return known == looks_.end() ? LineLook{.color = kGrey} : known->second;
  }
  std::string color_of(const std::string& line) const { return look_of(line).color; }

  void draw_key() {
    Point place = key_corner();
    for (const KeyEntry& entry : key_) {
      place = place_of(place, entry);
      entry.draw({place.x + 14, place.y});
      SvgDocument::add_text(svg_.root(), place.x + kKeySample, place.y + 4, entry.text);
      place = behind(place, entry);
    }
  }

  void draw(const ChartPanel& panel, Point corner) {
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
      return Point{corner.x + measures_.width * x.part(of_x), corner.y + measures_.height * (1 - y.part(of_y))};
    };
    // What leaves the panel is cut off: an inner svg shows nothing beyond its own edge.
    const double margin = 6;  // for a dot on the edge
    const std::string left = svg_number(corner.x - margin);
    const std::string top = svg_number(corner.y - margin);
    const std::string wide = svg_number(measures_.width + 2 * margin);
    const std::string high = svg_number(measures_.height + 2 * margin);
    layer_ = SvgDocument::add(svg_.root(), "svg",
                              {{"x", left},
                               {"y", top},
                               {"width", wide},
                               {"height", high},
                               {"viewBox", fmt::format("{} {} {} {}", left, top, wide, high)}});
    for (const ChartLine& line : panel.lines) draw_line(panel, line, at);
    layer_ = svg_.root();
    draw_changes(panel, corner.y + measures_.height, at);
    for (const ChartMark& mark : panel.printed) {
      const std::string color = color_of(mark.line);
      if (mark.at.low && mark.at.high) draw_bar(at(mark.at.x, *mark.at.low), at(mark.at.x, *mark.at.high), color);
      const auto drawn = draw_mark(at(mark.at.x, mark.at.y), color, mark.bound);
      SvgDocument::add_hint(drawn, fmt::format("{}: {} {:g} at {:g}", mark.line, chart_.marks_are, mark.at.y, mark.at.x));
    }
    for (const ChartLevel& level : panel.printed_most) {
      const double height = corner.y + measures_.height * (1 - y.part(level.y));
      draw_level({corner.x, height}, {corner.x + measures_.width, height}, color_of(level.line));
    }
    for (const ChartFirst& first : panel.printed_first)
      SvgDocument::add_hint(draw_first({corner.x + measures_.width * x.part(first.x), corner.y - 12}, color_of(first.line)),
                            fmt::format("{}: printed as the first", first.line));
  }

  template <class At>
  void draw_line(const ChartPanel& panel, const ChartLine& line, At at) {
    const LineLook look = look_of(line.name);
    std::vector<Point> pixels;
    for (const ChartPoint& point : line.points) {
      if (!can_show(panel.x, point.x) || !can_show(panel.y, point.y)) continue;
      pixels.push_back(at(point.x, point.y));
      if (point.low && point.high) draw_bar(at(point.x, *point.low), at(point.x, *point.high), look.color);
    }
    if (panel.has_lines) draw_polyline(pixels, look);
    for (const Point& pixel : pixels) draw_dot(pixel, look);
  }

  template <class At>
  void draw_changes(const ChartPanel& panel, double bottom, At at) {
    for (std::size_t i = 0; i < panel.changes.size(); ++i) {
      if (!panel.changes[i].at) continue;
      const Point place = at(panel.changes[i].at->x, panel.changes[i].at->y);
      if (i < kMostChanges) {
        draw_level({place.x, bottom}, place, "#999999");
        SvgDocument::add_text(svg_.root(), place.x + 11, place.y + (panel.best_is_most ? -9 : 20), fmt::format("{}", i + 1),
                              {{"text-anchor", "middle"}, {"font-size", "12"}});
      }
      draw_circle(place);
    }
  }

  void draw_axes(const ChartPanel& panel, Point corner, const ChartScale& x, const ChartScale& y) {
    const double bottom = corner.y + measures_.height;
    const double middle = corner.x + measures_.width / 2;
    SvgDocument::add_text(svg_.root(), middle, corner.y - 34, panel.title, {{"text-anchor", "middle"}, {"font-size", "14"}});
    for (const ChartTick& tick : y.ticks) {
      const double at = bottom - measures_.height * y.part(tick.value);
      if (at < corner.y - 0.5 || at > bottom + 0.5) continue;
      const bool is_zero = !y.is_log && tick.value == 0 && y.least < 0;
      draw_rule({corner.x, at}, {corner.x + measures_.width, at}, is_zero ? "#777777" : "#dddddd");
      SvgDocument::add_text(svg_.root(), corner.x - 8, at + 4, tick.label, {{"text-anchor", "end"}});
    }
    for (const ChartTick& tick : x.ticks) {
      const double at = corner.x + measures_.width * x.part(tick.value);
      draw_rule({at, corner.y}, {at, bottom}, "#eeeeee");
      if (panel.x.names.empty())
        SvgDocument::add_text(svg_.root(), at, bottom + 18, tick.label, {{"text-anchor", "middle"}, {"font-size", "11"}});
      else
        SvgDocument::add_text(
            svg_.root(), at - 4, bottom + 14, tick.label,
            {{"font-size", "11"}, {"transform", fmt::format("rotate(35 {} {})", svg_number(at - 4), svg_number(bottom + 14))}});
    }
    SvgDocument::add_rect(svg_.root(), corner, measures_.width, measures_.height, {{"fill", "none"}, {"stroke", kGrey}});
    SvgDocument::add_text(svg_.root(), middle, bottom + 42, panel.x.title, {{"text-anchor", "middle"}, {"font-size", "13"}});
    const double left = corner.x - 56;
    const double height = corner.y + measures_.height / 2;
    SvgDocument::add_text(svg_.root(), left, height, panel.y.title,
                          {{"text-anchor", "middle"},
                           {"font-size", "13"},
                           {"transform", fmt::format("rotate(-90 {} {})", svg_number(left), svg_number(height))}});
  }

  pugi::xml_node draw_rule(Point from, Point to, const std::string& color) {
    return SvgDocument::add(layer_, "line", {{"x1", from.x}, {"y1", from.y}, {"x2", to.x}, {"y2", to.y}, {"stroke", color}});
  }

  void draw_level(Point from, Point to, const std::string& color) {
    pugi::xml_node line = draw_rule(from, to, color);
    line.append_attribute("stroke-width") = "2";
    line.append_attribute("stroke-dasharray") = "6 4";
  }

  void draw_bar(Point low, Point high, const std::string& color) {
    draw_rule(low, high, color);
    for (const Point& end : {low, high}) draw_rule({end.x - 5, end.y}, {end.x + 5, end.y}, color);
  }

  void draw_polyline(const std::vector<Point>& pixels, const LineLook& look) {
    std::string points;
    for (const Point& pixel : pixels)
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(pixel.x), svg_number(pixel.y));
    pugi::xml_node line = SvgDocument::add(
        layer_, "polyline", {{"points", points}, {"fill", "none"}, {"stroke", look.color}, {"stroke-width", "1.8"}});
    if (!look.dashes.empty()) line.append_attribute("stroke-dasharray") = std::string(look.dashes).c_str();
  }

  void draw_dot(Point at, const LineLook& look) {
    if (look.shape == 0) {
      SvgDocument::add_circle(layer_, at, 3, {{"fill", look.color}});
      return;
    }
    SvgDocument::add(layer_, "path",
                     {{"d", std::string(kShapes.at(look.shape))},
                      {"transform", fmt::format("translate({} {})", svg_number(at.x), svg_number(at.y))},
                      {"fill", look.shape < kFilledShapes ? look.color : "#ffffff"},
                      {"stroke", look.color}});
  }

  /// Where another line becomes the best.
  void draw_circle(Point at) {
    SvgDocument::add_circle(svg_.root(), at, 8, {{"fill", "none"}, {"stroke", kBlack}, {"stroke-width", "2"}});
  }

  /// A diamond, or a triangle that points to where the value may be.
  pugi::xml_node draw_mark(Point at, const std::string& color, ChartMark::Bound bound) {
    const double up = bound == ChartMark::Bound::at_most ? 1 : -1;
    const std::string shape = bound == ChartMark::Bound::none
                                  ? fmt::format("M{} {}l8 8l-8 8l-8 -8z", svg_number(at.x), svg_number(at.y - 8))
                                  : fmt::format("M{} {}l8 0l-8 {}l-8 {}z", svg_number(at.x), svg_number(at.y),
                                                svg_number(up * 13), svg_number(up * -13));
    return SvgDocument::add(
        svg_.root(), "path",
        {{"d", shape}, {"fill", "#ffffff"}, {"fill-opacity", "0.6"}, {"stroke", color}, {"stroke-width", "2"}});
  }

  pugi::xml_node draw_first(Point at, const std::string& color) {
    return SvgDocument::add_rect(svg_.root(), {at.x - 5, at.y - 5}, 10, 10, {{"fill", color}});
  }

  const Chart& chart_;
  bool is_plot_;
  Measures measures_;
  std::vector<std::string> details_;
  std::size_t columns_;
  std::map<std::string, LineLook> looks_;  ///< of lines; before key_, which fills it
  std::vector<KeyEntry> key_;
  SvgDocument svg_;
  pugi::xml_node layer_ = svg_.root();  ///< what is drawn into
};

}  // namespace

std::string chart_svg(const Chart& chart) { return ChartDrawing(chart).text(); }

namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` of them are in `range`.
double round_step(double range, int count) {
  const double rough = range / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

std::string number_text(double value) {
  if (std::abs(value) < 1e-9) return "0";
  if (value >= 1000 && value < 1e7 && value == std::floor(value)) {
    std::string text = fmt::format("{:.0f}", value);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
      text.insert(static_cast<std::size_t>(at), ",");
    return text;
  }
  return fmt::format("{:.6g}", value);
}

void add_ticks_of_powers(ChartScale& scale, double base, const ChartAxis& axis) {
  const double first = std::ceil(std::log(scale.least) / std::log(base) - 1e-9);
  for (double exponent = first; std::pow(base, exponent) <= scale.most * (1 + 1e-9); ++exponent) {
    const double value = std::pow(base, exponent);
    scale.ticks.push_back({value, axis.labels == ChartAxis::Labels::bytes
                                      ? to_string(Bytes(static_cast<std::int64_t>(std::llround(value))))
                                      : number_text(value)});
  }
}

ChartScale linear_scale(double least, double most) {
  const double step = round_step(std::max(most - least, 1e-9), 8);
  ChartScale scale{.least = std::floor(least / step + 1e-9) * step, .most = std::ceil(most / step - 1e-9) * step};
  for (double value = scale.least; value <= scale.most + step / 2; value += step)
    scale.ticks.push_back({value, number_text(std::round(value / step) * step)});
  return scale;
}

/// Where not even two powers are in range: round numbers at equal distances.
void add_round_ticks(ChartScale& scale) {
  scale.ticks.clear();
  for (const ChartTick& tick : linear_scale(scale.least, scale.most).ticks)
    if (tick.value >= scale.least && tick.value <= scale.most) scale.ticks.push_back(tick);
}

/// Few enough to be read, two at least: an axis of powers of two is made longer where it has fewer.
void label_log_axis(ChartScale& scale, const ChartAxis& axis) {
  const double octaves = std::log2(scale.most / scale.least);
  const bool powers_of_two = axis.labels != ChartAxis::Labels::numbers;
  if (powers_of_two || octaves < 9) {
    double base = 2;
    while (octaves / std::log2(base) > 9) base *= base == 2 ? 2 : 4;
    add_ticks_of_powers(scale, base, axis);
    while (powers_of_two && scale.ticks.size() < 2) {
      scale.ticks.clear();
      scale.least /= 1.5;
      scale.most *= 1.5;
      add_ticks_of_powers(scale, base, axis);
    }
    if (powers_of_two || scale.ticks.size() >= 3) return;
    scale.ticks.clear();
  }
  add_ticks_of_powers(scale, 10, axis);
  if (scale.ticks.size() < 2) add_round_ticks(scale);
}

}  // namespace

double ChartScale::part(double value) const {
  if (is_log) return std::log(value / least) / std::log(most / least);
  return (value - least) / (most - least);
}

ChartScale scale_of_x(const ChartAxis& axis, const std::vector<double>& values) {
  if (axis.labels == ChartAxis::Labels::names) {
    ChartScale scale{.least = -0.5, .most = static_cast<double>(axis.names.size()) - 0.5};
    for (std::size_t i = 0; i < axis.names.size(); ++i) scale.ticks.push_back({static_cast<double>(i), axis.names[i]});
    return scale;
  }
  const auto [least, most] = std::ranges::minmax(values);
  if (!axis.is_log) return linear_scale(least, most);
  ChartScale scale{.is_log = true, .least = least / 1.3, .most = most * 1.3};
  label_log_axis(scale, axis);
  return scale;
}

ChartScale scale_of_y(const ChartAxis& axis, const std::vector<double>& values) {
  auto [least, most] = std::ranges::minmax(values);
  if (axis.most) most = std::min(most, *axis.most);
  if (!axis.is_log) return linear_scale(std::min(least, 0.0), std::max(most, 0.0) + 0.03 * (most - std::min(least, 0.0)));
  ChartScale scale{.is_log = true, .least = least / 1.5, .most = most * 1.5};
  label_log_axis(scale, axis);
  return scale;
}

}  // namespace heddle::pictures
