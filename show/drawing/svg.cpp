// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/printable.hpp"

namespace heddle::pictures {

namespace {

struct Color {
  double red, green, blue;
};

// Viridis at 0, 1/16, … 14/16 of its length; what follows is too light for lines on white.
constexpr std::array<Color, 15> kViridis = {{{68, 1, 84},
                                             {72, 24, 106},
                                             {71, 45, 123},
                                             {66, 64, 134},
                                             {59, 82, 139},
                                             {51, 99, 141},
                                             {44, 114, 142},
                                             {38, 130, 142},
                                             {33, 145, 140},
                                             {31, 160, 136},
                                             {40, 174, 128},
                                             {63, 188, 115},
                                             {94, 201, 98},
                                             {132, 212, 75},
                                             {173, 220, 48}}};

}  // namespace

std::string heat_color(double part) {
  const double place = (1 - std::clamp(part, 0.0, 1.0)) * static_cast<double>(kViridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto mix = [&](double Color::*channel) {
    return static_cast<int>(std::lround(kViridis[below].*channel * (1 - rest) + kViridis[below + 1].*channel * rest));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(&Color::red), mix(&Color::green), mix(&Color::blue));
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string xml_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = first_character(text).bytes;
    const bool is_control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
    clean += length == 0 || is_control ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

SvgDocument::SvgDocument(double width, double height, std::string_view title) {
  pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  const std::string w = svg_number(std::ceil(width));
  const std::string h = svg_number(std::ceil(height));
  pugi::xml_node top = document_.append_child("svg");
  root_ = top;
  for (const auto& [name, value] : {std::pair<const char*, std::string>{"xmlns", "http://www.w3.org/2000/svg"},
                                    {"width", w},
                                    {"height", h},
                                    {"viewBox", fmt::format("0 0 {} {}", w, h)},
                                    {"font-family", "DejaVu Sans, Verdana, sans-serif"},
                                    {"font-size", "12"}})
    top.append_attribute(name) = value.c_str();
  add_hint(top, title);
  add(top, "rect", {{"width", w}, {"height", h}, {"fill", "#ffffff"}});
}

pugi::xml_node SvgDocument::append(pugi::xml_node element, Attributes attributes) {
  for (const auto& [name, value] : attributes) element.append_attribute(name) = xml_text(value).c_str();
  return element;
}

pugi::xml_node SvgDocument::add(pugi::xml_node parent, const char* element, Attributes attributes) {
  return append(parent.append_child(element), attributes);
}

pugi::xml_node SvgDocument::add_rect(pugi::xml_node parent, Point corner, double width, double height, Attributes attributes) {
  return append(add(parent, "rect", {{"x", corner.x}, {"y", corner.y}, {"width", width}, {"height", height}}), attributes);
}

pugi::xml_node SvgDocument::add_circle(pugi::xml_node parent, Point center, double radius, Attributes attributes) {
  return append(add(parent, "circle", {{"cx", center.x}, {"cy", center.y}, {"r", radius}}), attributes);
}

pugi::xml_node SvgDocument::add_text(pugi::xml_node parent, double x, double y, std::string_view text, Attributes attributes) {
  pugi::xml_node node = parent.append_child("text");
  node.append_attribute("x") = svg_number(x).c_str();
  node.append_attribute("y") = svg_number(y).c_str();
  for (const auto& [name, value] : attributes) node.append_attribute(name) = value.c_str();
  node.append_child(pugi::node_pcdata).set_value(xml_text(text).c_str());
  return node;
}

void SvgDocument::add_hint(pugi::xml_node element, std::string_view text) {
  element.append_child("title").append_child(pugi::node_pcdata).set_value(xml_text(text).c_str());
}

std::string SvgDocument::text() const {
  std::ostringstream out;
  document_.save(out, "", pugi::format_indent);
  return out.str();
}

namespace {

struct Arrow {
  Point base;
  Point ahead;
  double length = 0;
  double half = 0;
};

Arrow arrow_of(const DrawnLink& link, double line_width) {
  const Point before = link.towards.value_or(link.from);  // a curve arrives from its control point
  const double whole = std::max(std::hypot(link.to.x - before.x, link.to.y - before.y), 1e-9);
  Arrow arrow;
  arrow.ahead = {(link.to.x - before.x) / whole, (link.to.y - before.y) / whole};
  const double width = line_width * link.slender;
  arrow.length = std::min(4 + 1.1 * width, 0.5 * whole);
  arrow.half = 0.45 * width + 2;
  arrow.base = {link.to.x - arrow.ahead.x * arrow.length, link.to.y - arrow.ahead.y * arrow.length};
  return arrow;
}

std::string line_path(const DrawnLink& link, double width, bool pointed) {
  const Point end = link.arrow && pointed ? arrow_of(link, width).base : link.to;
  const std::string way =
      link.towards ? fmt::format("Q{} {} ", svg_number(link.towards->x), svg_number(link.towards->y)) : std::string("L");
  return fmt::format("M{} {}{}{} {}", svg_number(link.from.x), svg_number(link.from.y), way, svg_number(end.x),
                     svg_number(end.y));
}

/// `centred`: its place is the middle of the letters, not their base line.
void add_word(pugi::xml_node group, const DrawnText& text, bool centred) {
  const double down = centred ? 0.36 * text.font : 0;
  const double x = text.at.x + (text.upright ? down : 0);
  const double y = text.at.y + (text.upright ? 0 : down);
  pugi::xml_node node = SvgDocument::add_text(group, x, y, text.text, {{"font-size", text.font}});
  if (text.anchor != DrawnText::Anchor::start)
    node.append_attribute("text-anchor") = text.anchor == DrawnText::Anchor::middle ? "middle" : "end";
  if (text.upright) node.append_attribute("transform") = fmt::format("rotate(-90 {} {})", svg_number(x), svg_number(y)).c_str();
}

/// Cut where it would leave the picture, by the usual width of letters.
std::string fitting(std::string_view text, double font, double width) {
  const auto most = static_cast<std::size_t>((width - 2 * kPictureMargin) / (0.6 * font));
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most - 3)) + "...";
}

}  // namespace

double title_height(std::size_t details) { return kPictureMargin + 26 + kLineHeight * static_cast<double>(details) + 10; }

void add_title(pugi::xml_node root, double width, std::string_view headline, const std::vector<std::string>& details) {
  SvgDocument::add_text(root, kPictureMargin, kPictureMargin + 14, fitting(headline, 18, width),
                        {{"font-size", "18"}, {"font-weight", "bold"}});
  double y = kPictureMargin + 14 + 22;
  for (const std::string& line : details) {
    SvgDocument::add_text(root, kPictureMargin, y, fitting(line, 12, width), {{"fill", "#333333"}});
    y += kLineHeight;
  }
}

pugi::xml_node add_group(pugi::xml_node root, const char* id, double down) {
  pugi::xml_node group = SvgDocument::add(root, "g", {{"id", id}});
  group.append_attribute("transform") = fmt::format("translate(0,{})", svg_number(down)).c_str();
  return group;
}

pugi::xml_node add_lines(pugi::xml_node group, const std::vector<const DrawnLink*>& links, double width, bool pointed) {
  std::string all;
  for (const DrawnLink* link : links) all += line_path(*link, width, pointed);
  pugi::xml_node path = SvgDocument::add(group, "path", {{"d", all}});
  const bool curves = std::ranges::any_of(links, [](const DrawnLink* link) { return link->towards.has_value(); });
  if (curves) path.append_attribute("fill") = "none";  // a straight line has no inside
  return path;
}

void add_arrows(pugi::xml_node group, const std::vector<const DrawnLink*>& links, double width) {
  std::string all;
  for (const DrawnLink* link : links) {
    if (!link->arrow) continue;
    const Arrow arrow = arrow_of(*link, width);
    all += fmt::format(
        "M{} {}L{} {}L{} {}Z", svg_number(link->to.x), svg_number(link->to.y),
        svg_number(arrow.base.x - arrow.ahead.y * arrow.half), svg_number(arrow.base.y + arrow.ahead.x * arrow.half),
        svg_number(arrow.base.x + arrow.ahead.y * arrow.half), svg_number(arrow.base.y - arrow.ahead.x * arrow.half));
  }
  if (!all.empty()) SvgDocument::add(group, "path", {{"d", all}, {"stroke", "none"}});
}

void add_vertices(pugi::xml_node root, const Drawing& drawing, double down) {
  pugi::xml_node group = add_group(root, "vertices", down);
  for (const DrawnVertex& vertex : drawing.vertices) {
    const std::string fill = vertex.used ? "#ffffff" : "#eeeeee";
    const std::string edge = vertex.used ? "#222222" : "#aaaaaa";
    pugi::xml_node shape =
        vertex.shape == DrawnVertex::Shape::circle
            ? SvgDocument::add_circle(group, vertex.center, vertex.width / 2, {{"fill", fill}, {"stroke", edge}})
            : SvgDocument::add_rect(group, {vertex.center.x - vertex.width / 2, vertex.center.y - vertex.height / 2},
                                    vertex.width, vertex.height, {{"rx", "3"}, {"fill", fill}, {"stroke", edge}});
    SvgDocument::add_hint(shape, vertex.about);
    if (!vertex.label.empty())
      add_word(group, {vertex.center, vertex.label, vertex.font, DrawnText::Anchor::middle, vertex.upright}, true);
  }
  pugi::xml_node words = add_group(root, "words", down);  // with a white edge: lines may pass below
  words.append_attribute("stroke") = "#ffffff";
  words.append_attribute("stroke-width") = "3";
  words.append_attribute("paint-order") = "stroke";
  for (const DrawnText& text : drawing.texts) add_word(words, text, false);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t letters) {
  std::vector<std::string> lines;
  while (text.size() > letters) {
    const std::size_t blank = text.rfind(' ', letters);
    if (blank == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace heddle::pictures
