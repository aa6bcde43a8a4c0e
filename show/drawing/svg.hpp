// SPDX-License-Identifier: Apache-2.0
// Pictures as SVG.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

// An SVG file in the making. Elements are pugixml's, so that every text is escaped as it must be.

/// Two decimals at most: "12.5".
std::string svg_number(double value);

/// The text without what XML cannot hold: control characters and bytes that are no UTF-8 become '?'.
std::string xml_text(std::string_view text);

/// Of an attribute: a text, or a number as svg_number() writes it.
struct SvgValue : std::string {
  using std::string::string;
  SvgValue(std::string text) : std::string(std::move(text)) {}
  SvgValue(std::string_view text) : std::string(text) {}
  SvgValue(double number) : std::string(svg_number(number)) {}
};

class SvgDocument {
 public:
  /// In pixels, on white.
  SvgDocument(double width, double height, std::string_view title);

  using Attributes = std::initializer_list<std::pair<const char*, SvgValue>>;

  pugi::xml_node root() { return root_; }
  static pugi::xml_node add(pugi::xml_node parent, const char* element, Attributes attributes);
  static pugi::xml_node add_rect(pugi::xml_node parent, Point corner, double width, double height, Attributes attributes);
  static pugi::xml_node add_circle(pugi::xml_node parent, Point center, double radius, Attributes attributes);
  static pugi::xml_node add_text(pugi::xml_node parent, double x, double y, std::string_view text, Attributes attributes = {});
  /// What a browser shows of an element that is pointed at.
  static void add_hint(pugi::xml_node element, std::string_view text);

  std::string text() const;

 private:
  static pugi::xml_node append(pugi::xml_node element, Attributes attributes);

  pugi::xml_document document_;
  pugi::xml_node root_;
};

// What every picture of a fabric is made of, as SVG elements: its title, lines, arrows, vertices and words.

inline constexpr double kPictureMargin = 24;
inline constexpr double kLineHeight = 17;  ///< from one line of words to the next

/// Of a headline and so many lines below it.
double title_height(std::size_t details);
/// Lines that are too long for a picture of that width are cut.
void add_title(pugi::xml_node root, double width, std::string_view headline, const std::vector<std::string>& details);

/// A group of elements that stand `down` pixels lower than they say.
pugi::xml_node add_group(pugi::xml_node root, const char* id, double down);

/// Links as one path; `pointed`: lines end where the heads of their arrows begin. `width` is that of a line that is not slender.
pugi::xml_node add_lines(pugi::xml_node group, const std::vector<const DrawnLink*>& links, double width, bool pointed);
/// The heads of those that have one.
void add_arrows(pugi::xml_node group, const std::vector<const DrawnLink*>& links, double width);

/// Vertices with their labels, and the drawing's words, in groups "vertices" and "words".
void add_vertices(pugi::xml_node root, const Drawing& drawing, double down);

/// Cut between words into lines of at most so many letters.
std::vector<std::string> wrapped(std::string_view text, std::size_t letters);

// The colours of loads: viridis (van der Walt, Smith 2015) from its green, the least, to its darkest, the most. Equal steps
// look equal, also to colour-blind eyes and on paper without colours.

/// Of a link that carried nothing; it is dashed, too.
inline constexpr std::string_view kNoLoadColor = "#b9b9b9";

/// "#440154"; `part` of the most, 0 … 1.
std::string heat_color(double part);

/// Okabe and Ito's colours, which colour-blind eyes can distinguish, without their yellow, which is too light for lines.
inline constexpr std::array<std::string_view, 7> kLineColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                "#56b4e9", "#e69f00", "#000000"};

/// Of the i-th line; the seven recur.
constexpr std::string_view line_color(std::size_t i) { return kLineColors[i % kLineColors.size()]; }

}  // namespace heddle::pictures
