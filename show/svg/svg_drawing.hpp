// SPDX-License-Identifier: Apache-2.0
// What every picture of a fabric is made of, as SVG elements: its title, lines, arrows, vertices and words.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

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

}  // namespace heddle::pictures
