// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/terminal_stream.hpp"

#include "show/terminal/terminal_lines.hpp"

namespace heddle {

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
