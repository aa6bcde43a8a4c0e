// SPDX-License-Identifier: Apache-2.0
#include "show/svg/svg_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <sstream>

namespace heddle::pictures {

namespace {

/// How many bytes the UTF-8 character at the front has; 0 if it is none. Overlong forms, surrogates and what lies beyond
/// U+10FFFF are none (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xbf) {
    return byte(i) >= least && byte(i) <= most;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef)
    return follows(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  if (lead >= 0xf0 && lead <= 0xf4)
    return follows(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

}  // namespace

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string xml_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const bool is_control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
    clean += length == 0 || is_control ? "?" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
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

pugi::xml_node SvgDocument::add(pugi::xml_node parent, const char* element, Attributes attributes) {
  pugi::xml_node node = parent.append_child(element);
  for (const auto& [name, value] : attributes) node.append_attribute(name) = xml_text(value).c_str();
  return node;
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

}  // namespace heddle::pictures
