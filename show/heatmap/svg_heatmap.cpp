// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/svg_heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "core/units.hpp"
#include "show/drawing/heat_colors.hpp"
#include "show/drawing/svg_document.hpp"

namespace heddle::pictures {

namespace {

constexpr int kSteps = 24;                 // of colour and width
constexpr std::size_t kMostHints = 5'000;  // links that each are an element with their numbers; more are one per step
constexpr double kPanel = 300;             // width of legend and lists
constexpr double kMargin = 24;
constexpr double kLine = 17;
constexpr std::size_t kNamed = 8;  // most loaded links

std::string bytes_text(std::int64_t bytes) { return to_string(Bytes(bytes)); }

class Heatmap {
 public:
  Heatmap(const Drawing& drawing, const LinkLoads& loads, const Topology& topology, const PictureTitle& title)
      : drawing_(drawing),
        loads_(loads),
        topology_(topology),
        title_(title),
        head_(kMargin + 26 + kLine * static_cast<double>(title.details.size()) + 10),
        width_(std::max(drawing.width + kPanel, kLeastWidth)),
        svg_(width_, head_ + std::max(drawing.height, panel_height()) + kMargin, title.headline) {}

  std::string draw() {
    add_title();
    add_links();
    add_bars();
    add_vertices();
    add_panel();
    return svg_.text();
  }

 private:
  static constexpr double kLeastWidth = 860;

  /// Of legend, notes and list.
  double panel_height() const {
    std::size_t lines = 4 + std::min(kNamed, static_cast<std::size_t>(loads_.carrying()));
    for (const std::string& note : drawing_.notes) lines += wrapped(note).size();
    return 110 + 2 * drawing_.widest + kLine * static_cast<double>(lines);
  }

  double line_width(int step) const { return step == 0 ? 1 : drawing_.widest * (0.16 + 0.84 * step / kSteps); }
  static std::string color(int step) {
    return step == 0 ? std::string(kNoLoadColor) : heat_color(static_cast<double>(step - 1) / (kSteps - 1));
  }

  std::string hint(LinkId link) const { return fmt::format("{}: {} B", topology_.link_name(link), loads_.bytes(link)); }

  std::string hint(const std::vector<LinkId>& links) const {
    if (links.size() == 1) return hint(links.front());
    std::int64_t total = 0;
    for (const LinkId link : links) total += loads_.bytes(link);
    return fmt::format("{}, {} cables: {} B together, at most {} B", topology_.link_name(links.front()), links.size(), total,
                       loads_.most_of(links));
  }

  pugi::xml_node drawing_group(const char* id) {
    pugi::xml_node group = SvgDocument::add(svg_.root(), "g", {{"id", id}});
    group.append_attribute("transform") = fmt::format("translate(0,{})", svg_number(head_)).c_str();
    return group;
  }

  void add_title() {
    SvgDocument::add_text(svg_.root(), kMargin, kMargin + 14, fitting(title_.headline, 18),
                          {{"font-size", "18"}, {"font-weight", "bold"}});
    double y = kMargin + 14 + 22;
    for (const std::string& line : title_.details) {
      SvgDocument::add_text(svg_.root(), kMargin, y, fitting(line, 12), {{"fill", "#333333"}});
      y += kLine;
    }
  }

  /// Cut where it would leave the picture, by the usual width of letters.
  std::string fitting(const std::string& text, double font) const {
    const auto most = static_cast<std::size_t>((width_ - 2 * kMargin) / (0.6 * font));
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
  }

  // ---- links ----

  /// The least loaded first, so that the others lie above them.
  void add_links() {
    std::map<std::pair<int, double>, std::vector<const DrawnLink*>> alike;
    for (const DrawnLink& link : drawing_.links)
      alike[{loads_.step(loads_.most_of(link.links), kSteps), link.slender}].push_back(&link);
    const bool each = drawing_.links.size() <= kMostHints;
    pugi::xml_node group = drawing_group("links");
    for (const auto& [look, links] : alike) {
      const int step = look.first;
      pugi::xml_node of_step = SvgDocument::add(group, "g",
                                                {{"stroke", color(step)},
                                                 {"fill", color(step)},
                                                 {"stroke-width", svg_number(std::max(line_width(step) * look.second, 0.5))}});
      if (step == 0) of_step.append_attribute("stroke-dasharray") = "3 2";
      std::string all;
      for (const DrawnLink* link : links) {
        if (!each)
          all += line_path(*link, step);
        else
          SvgDocument::add_hint(SvgDocument::add(of_step, "path", {{"d", line_path(*link, step)}}), hint(link->links));
      }
      if (!each) SvgDocument::add(of_step, "path", {{"d", all}});
      add_arrows(of_step, links, step);
    }
  }

  struct Arrow {
    Point base;
    Point ahead;
    double length = 0;
    double half = 0;
  };

  Arrow arrow_of(const DrawnLink& link, int step) const {
    const double whole = std::hypot(link.to.x - link.from.x, link.to.y - link.from.y);
    Arrow arrow;
    arrow.ahead = {(link.to.x - link.from.x) / whole, (link.to.y - link.from.y) / whole};
    const double width = line_width(step) * link.slender;
    arrow.length = std::min(4 + 1.1 * width, 0.5 * whole);
    arrow.half = 0.45 * width + 2;
    arrow.base = {link.to.x - arrow.ahead.x * arrow.length, link.to.y - arrow.ahead.y * arrow.length};
    return arrow;
  }

  std::string line_path(const DrawnLink& link, int step) const {
    const Point end = link.arrow && step > 0 ? arrow_of(link, step).base : link.to;
    return fmt::format("M{} {}L{} {}", svg_number(link.from.x), svg_number(link.from.y), svg_number(end.x), svg_number(end.y));
  }

  void add_arrows(pugi::xml_node group, const std::vector<const DrawnLink*>& links, int step) {
    std::string all;
    for (const DrawnLink* link : links) {
      if (!link->arrow || step == 0) continue;
      const Arrow arrow = arrow_of(*link, step);
      all += fmt::format(
          "M{} {}L{} {}L{} {}Z", svg_number(link->to.x), svg_number(link->to.y),
          svg_number(arrow.base.x - arrow.ahead.y * arrow.half), svg_number(arrow.base.y + arrow.ahead.x * arrow.half),
          svg_number(arrow.base.x + arrow.ahead.y * arrow.half), svg_number(arrow.base.y - arrow.ahead.x * arrow.half));
    }
    if (!all.empty()) SvgDocument::add(group, "path", {{"d", all}, {"stroke", "none"}});
  }

  void add_bars() {
    if (drawing_.bars.empty()) return;
    pugi::xml_node group = drawing_group("bars");
    for (const DrawnBar& bar : drawing_.bars) {
      const int step = loads_.step(loads_.bytes(bar.link), kSteps);
      const bool filled = bar.growth == DrawnBar::Growth::filled;
      const double width = filled ? bar.width : bar.width * (step == 0 ? 0.06 : 0.12 + 0.88 * step / kSteps);
      const double x = bar.growth == DrawnBar::Growth::left ? bar.corner.x + bar.width - width : bar.corner.x;
      pugi::xml_node box = SvgDocument::add(group, "rect",
                                            {{"x", svg_number(x)},
                                             {"y", svg_number(bar.corner.y)},
                                             {"width", svg_number(width)},
                                             {"height", svg_number(bar.height)},
                                             {"fill", step == 0 && filled ? "#f0f0f0" : color(step)}});
      if (drawing_.bars.size() <= kMostHints) SvgDocument::add_hint(box, hint(bar.link));
    }
  }

  // ---- vertices and words ----

  void add_vertices() {
    pugi::xml_node group = drawing_group("vertices");
    for (const DrawnVertex& vertex : drawing_.vertices) {
      const std::string fill = vertex.used ? "#ffffff" : "#eeeeee";
      const std::string edge = vertex.used ? "#222222" : "#aaaaaa";
      pugi::xml_node shape = vertex.shape == DrawnVertex::Shape::circle
                                 ? SvgDocument::add(group, "circle",
                                                    {{"cx", svg_number(vertex.center.x)},
                                                     {"cy", svg_number(vertex.center.y)},
                                                     {"r", svg_number(vertex.width / 2)},
                                                     {"fill", fill},
                                                     {"stroke", edge}})
                                 : SvgDocument::add(group, "rect",
                                                    {{"x", svg_number(vertex.center.x - vertex.width / 2)},
                                                     {"y", svg_number(vertex.center.y - vertex.height / 2)},
                                                     {"width", svg_number(vertex.width)},
                                                     {"height", svg_number(vertex.height)},
                                                     {"rx", "3"},
                                                     {"fill", fill},
                                                     {"stroke", edge}});
      SvgDocument::add_hint(shape, vertex.about);
      if (!vertex.label.empty())
        add_word(group, {vertex.center, vertex.label, vertex.font, DrawnText::Anchor::middle, vertex.upright}, true);
    }
    pugi::xml_node words = drawing_group("words");  // with a white edge: lines may pass below
    words.append_attribute("stroke") = "#ffffff";
    words.append_attribute("stroke-width") = "3";
    words.append_attribute("paint-order") = "stroke";
    for (const DrawnText& text : drawing_.texts) add_word(words, text, false);
  }

  /// `centred`: its place is the middle of the letters, not their base line.
  static void add_word(pugi::xml_node group, const DrawnText& text, bool centred) {
    const double down = centred ? 0.36 * text.font : 0;
    const double x = text.at.x + (text.upright ? down : 0);
    const double y = text.at.y + (text.upright ? 0 : down);
    pugi::xml_node node = SvgDocument::add_text(group, x, y, text.text, {{"font-size", svg_number(text.font)}});
    if (text.anchor != DrawnText::Anchor::start)
      node.append_attribute("text-anchor") = text.anchor == DrawnText::Anchor::middle ? "middle" : "end";
    if (text.upright)
      node.append_attribute("transform") = fmt::format("rotate(-90 {} {})", svg_number(x), svg_number(y)).c_str();
  }

  // ---- legend and lists ----

  void add_panel() {
    panel_ = SvgDocument::add(svg_.root(), "g", {{"id", "legend"}});
    x_ = width_ - kPanel + 16;
    y_ = head_ + 14;
    add_line("Bytes over a link, one way", true);
    add_scale();
    add_line(fmt::format("{} of {} links carried something:", loads_.carrying(), loads_.links()));
    add_line(fmt::format("{} on average, {} at most", bytes_text(std::llround(loads_.mean())), bytes_text(loads_.most())));
    y_ += 6;
    for (const std::string& note : drawing_.notes)
      for (const std::string& line : wrapped(note)) add_line(line);
    add_busiest();
  }

  /// Cut between words into lines that the panel has room for.
  static std::vector<std::string> wrapped(std::string_view text) {
    constexpr std::size_t kLetters = 46;
    std::vector<std::string> lines;
    while (text.size() > kLetters) {
      const std::size_t blank = text.rfind(' ', kLetters);
      if (blank == std::string_view::npos) break;
      lines.emplace_back(text.substr(0, blank));
      text.remove_prefix(blank + 1);
    }
    lines.emplace_back(text);
    return lines;
  }

  void add_line(std::string_view text, bool bold = false) {
    pugi::xml_node node = SvgDocument::add_text(panel_, x_, y_, text);
    if (bold) node.append_attribute("font-weight") = "bold";
    y_ += kLine;
  }

  /// A wedge: as wide as the lines are, in their colours, with numbers.
  void add_scale() {
    constexpr double kScale = 240;
    const double thickest = std::max(2 * drawing_.widest, 12.0);
    const double middle = y_ + thickest / 2 - 4;
    for (int step = 1; loads_.most() > 0 && step <= kSteps; ++step) {
      const double height = thickest * (0.16 + 0.84 * step / kSteps);
      SvgDocument::add(panel_, "rect",
                       {{"x", svg_number(x_ + kScale * (step - 1) / kSteps)},
                        {"y", svg_number(middle - height / 2)},
                        {"width", svg_number(kScale / kSteps + 0.3)},
                        {"height", svg_number(height)},
                        {"fill", color(step)}});
    }
    y_ = middle + thickest / 2 + 14;
    for (int quarter = 0; loads_.most() > 0 && quarter <= 4; quarter += 2)
      SvgDocument::add_text(panel_, x_ + kScale * quarter / 4, y_, bytes_text(loads_.most() * quarter / 4),
                            {{"text-anchor", quarter == 0 ? "start" : (quarter == 4 ? "end" : "middle")}});
    y_ += kLine + 4;
    SvgDocument::add(panel_, "path",
                     {{"d", fmt::format("M{} {}h40", svg_number(x_), svg_number(y_ - 4))},
                      {"stroke", std::string(kNoLoadColor)},
                      {"stroke-dasharray", "3 2"}});
    SvgDocument::add_text(panel_, x_ + 48, y_, "nothing");
    y_ += kLine + 8;
  }

  void add_busiest() {
    y_ += 10;
    if (loads_.carrying() == 0) return add_line("No link carried a byte.", true);
    add_line("Most loaded", true);
    for (const NamedLoad& link : loads_.busiest(kNamed, topology_)) {
      SvgDocument::add_text(panel_, x_, y_, link.name);
      SvgDocument::add_text(panel_, x_ + 260, y_, fmt::format("{} B", link.bytes), {{"text-anchor", "end"}});
      y_ += kLine;
    }
    const std::int64_t as_much =
        std::ranges::count(all_links(), loads_.most(), [&](LinkId link) { return loads_.bytes(link); });
    if (as_much > 1) add_line(fmt::format("{} links carried the most.", as_much));
  }

  std::vector<LinkId> all_links() const {
    std::vector<LinkId> links(static_cast<std::size_t>(loads_.links()));
    for (std::size_t i = 0; i < links.size(); ++i) links[i] = static_cast<LinkId>(i);
    return links;
  }

  const Drawing& drawing_;
  const LinkLoads& loads_;
  const Topology& topology_;
  const PictureTitle& title_;
  double head_;  ///< height of the title
  double width_;
  SvgDocument svg_;
  pugi::xml_node panel_;
  double x_ = 0;
  double y_ = 0;
};

}  // namespace

std::string svg_heatmap(const Drawing& drawing, const LinkLoads& loads, const Topology& topology, const PictureTitle& title) {
  return Heatmap(drawing, loads, topology, title).draw();
}

}  // namespace heddle::pictures
