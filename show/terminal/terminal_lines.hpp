// SPDX-License-Identifier: Apache-2.0
// Lines of a command's output for a terminal of so many columns. Pure functions of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// A line without its line feed as lines of at most `columns` letters (columns ≥ 20), with line feeds between them. A comment
/// (#) goes on as one; a command that is shown (indented, "heddle …") goes on behind a backslash, as a shell takes it; any other line
/// goes on below its own text, or below what stands in its second column. A word that is longer than a line is parted.
std::string fit_line(std::string_view line, std::size_t columns);

/// Paragraphs whose lines were broken for more than 100 columns are broken anew for `columns`: lines without indent are one
/// paragraph until one that is empty or indented, or ends though the next word would have had room.
std::string reflow(std::string_view text, std::size_t columns);

/// The words of a text with one blank between them, broken between words so that no line is longer than `width` bytes; a longer word stands
/// alone.
std::string wrapped(const std::string& text, std::size_t width);

/// Bold what is best (a time with a star behind it), red what failed. Letters and blanks stay as they are.
std::string colored(std::string_view line);

}  // namespace heddle
