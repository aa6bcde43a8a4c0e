// SPDX-License-Identifier: Apache-2.0
// What a terminal is like, and lines that fit it.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace heddle {

// Lines of a command's output for a terminal of so many columns. Pure functions of text.

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

// Terminals, and standard output where it is one.

/// What a terminal is like.
struct Terminal {
  std::size_t columns = 80;
  bool has_colors = false;
};

/// The terminal behind a file descriptor; no value: there is none, or one without a width, which nobody looks at. At least 80
/// columns; colours unless NO_COLOR is set and not empty, or TERM says that it has none.
std::optional<Terminal> terminal_of(int descriptor);

/// Hands on what is written to it line by line, each made to fit the terminal, unless it begins with { or <: JSON and XML stay as
/// they are. Not for several threads at once.
class TerminalStream final : public std::ostream {
 public:
  /// `to` outlives this.
  TerminalStream(std::streambuf& to, const Terminal& terminal);
  ~TerminalStream() override;

  std::size_t columns() const { return lines_.terminal.columns; }

 private:
  struct Lines final : std::streambuf {
    Lines(std::streambuf& its_to, const Terminal& its_terminal) : to(its_to), terminal(its_terminal) {}
    int_type overflow(int_type c) override;
    int sync() override;
    /// What there is of a line, though it may go on.
    bool write_line();

    std::streambuf& to;
    Terminal terminal;
    std::string line;
    std::optional<bool> is_document;  ///< known from the first letter on
  };

  Lines lines_;
};

/// Of the terminal that `out` is; no value: it is none, or lines may be as long as they are.
std::optional<std::size_t> columns_of(const std::ostream& out);

}  // namespace heddle
