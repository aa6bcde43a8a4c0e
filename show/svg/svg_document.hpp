// SPDX-License-Identifier: Apache-2.0
// An SVG file in the making. Elements are pugixml's, so that every text is escaped as it must be.
#pragma once

#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::pictures {

/// Two decimals at most: "12.5".
std::string svg_number(double value);

/// The text without what XML cannot hold: control characters and bytes that are no UTF-8 become '?'.
std::string xml_text(std::string_view text);

class SvgDocument {
 public:
  /// In pixels, on white.
  SvgDocument(double width, double height, std::string_view title);

  using Attributes = std::initializer_list<std::pair<const char*, std::string>>;

  pugi::xml_node root() { return root_; }
  static pugi::xml_node add(pugi::xml_node parent, const char* element, Attributes attributes);
  static pugi::xml_node add_text(pugi::xml_node parent, double x, double y, std::string_view text, Attributes attributes = {});
  /// What a browser shows of an element that is pointed at.
  static void add_hint(pugi::xml_node element, std::string_view text);

  std::string text() const;

 private:
  pugi::xml_document document_;
  pugi::xml_node root_;
};

}  // namespace heddle::pictures
