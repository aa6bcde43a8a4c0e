// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/terminal_stream.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "show/terminal/terminal_lines.hpp"

namespace heddle {

namespace {

constexpr std::size_t kLeastColumns = 80;

bool wants_colors() {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return (refused == nullptr || *refused == '\0') && term != nullptr && std::string_view(term) != "dumb" && *term != '\0';
}

}  // namespace

std::optional<Terminal> terminal_of(int descriptor) {
  if (isatty(descriptor) != 1) return std::nullopt;
  winsize size = {};
  // mpirun of Open MPI gives its processes terminals without columns, and passes on what they write, wherever that goes.
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return Terminal{.columns = std::max(kLeastColumns, std::size_t{size.ws_col}), .has_colors = wants_colors()};
}

TerminalStream::TerminalStream(std::streambuf& to, const Terminal& terminal) : std::ostream(nullptr), lines_(to, terminal) {
  rdbuf(&lines_);
}

TerminalStream::~TerminalStream() {
  lines_.write_line();
  lines_.sync();
}

TerminalStream::Lines::int_type TerminalStream::Lines::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char letter = traits_type::to_char_type(c);
  if (!is_document) is_document = letter == '{' || letter == '<';
  if (*is_document) return to.sputc(letter);
  if (letter != '\n') {
    line += letter;
    return c;
  }
  const bool is_written = write_line();
  return is_written && !traits_type::eq_int_type(to.sputc('\n'), traits_type::eof()) ? c : traits_type::eof();
}

int TerminalStream::Lines::sync() { return to.pubsync(); }

bool TerminalStream::Lines::write_line() {
  std::string text = fit_line(line, terminal.columns);
  if (terminal.has_colors) text = colored(text);
  line.clear();
  return to.sputn(text.data(), static_cast<std::streamsize>(text.size())) == static_cast<std::streamsize>(text.size());
}

std::optional<std::size_t> columns_of(const std::ostream& out) {
  const auto* const terminal = dynamic_cast<const TerminalStream*>(&out);
  return terminal == nullptr ? std::nullopt : std::optional(terminal->columns());
}

}  // namespace heddle
