// SPDX-License-Identifier: Apache-2.0
// Terminals, and standard output where it is one.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

namespace heddle {

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
