// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "show/document/document.hpp"

namespace heddle {

namespace {

constexpr std::size_t kWrittenFor = 100;  ///< lines that end before it, though a word more would fit, end on purpose
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kPlain = "\033[0m";

/// How many bytes so many letters have.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    if (count-- == 0) break;
  }
  return at;
}

/// Where what goes on begins: below the second column if there is one in the first half of the line, else below the text.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", first);
  if (gap == std::string_view::npos) return first < columns / 2 ? first : 0;
  const std::size_t second = line.find_first_not_of(' ', gap);
  if (second == std::string_view::npos) return first < columns / 2 ? first : 0;
  const std::size_t indent = letters(line.substr(0, second));
  return indent <= columns / 2 ? indent : std::min(first + 2, columns / 2);
}

/// Of `text`, what fits into so many letters: up to a blank behind its first word, else what there is room for.
std::size_t first_part(std::string_view text, std::size_t room) {
  const std::size_t most = bytes_of(text, room);
  const std::size_t blank = most < text.size() && text[most] == ' ' ? most : text.rfind(' ', most);
  const std::size_t begin = text.find_first_not_of(' ');
  return blank == std::string_view::npos || blank <= begin ? most : blank;
}

/// As first_part, but of a command: not within quotes, where a backslash is a letter.
std::size_t first_words(std::string_view text, std::size_t room) {
  std::size_t part = first_part(text, room);
  while (std::ranges::count(text.substr(0, part), '\'') % 2 == 1) {
    const std::size_t blank = text.rfind(' ', part - 1);
    if (blank == std::string_view::npos || blank <= text.find_first_not_of(' ')) return first_part(text, room);
    part = blank;
  }
  return part;
}

/// `end` stands behind each line but the last.
std::string parted(std::string_view line, std::size_t columns, std::size_t indent, std::string_view end) {
  std::string text;
  std::string begin;
  std::string_view rest = line;
  while (begin.size() + letters(rest) > columns) {
    const std::size_t room = columns - begin.size() - end.size();
    const std::size_t part = end.empty() ? first_part(rest, room) : first_words(rest, room);
    text += begin + std::string(rest.substr(0, rest.find_last_not_of(' ', part - 1) + 1)) + std::string(end) + '\n';
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', part), rest.size()));
    begin = std::string(indent, ' ');
  }
  return rest.empty() ? text.substr(0, text.size() - end.size() - 1) : text + begin + std::string(rest);
}

bool is_command(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && first > 0 && line.substr(first).starts_with("heddle ");
}

}  // namespace

std::string fit_line(std::string_view line, std::size_t columns) {
  if (letters(line) <= columns) return std::string(line);
  if (is_command(line)) return parted(line, columns, line.find_first_not_of(' ') + 4, " \\");
  if (!line.starts_with('#')) return parted(line, columns, hanging_indent(line, columns), "");
  std::string text;
  std::string broken = break_comments(line, columns);
  for (std::string_view rest = broken; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += (text.empty() ? "" : "\n") + parted(rest.substr(0, end), columns, 0, "");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

std::string reflow(std::string_view text, std::size_t columns) {
  std::string reflowed;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) reflowed += fit_line(paragraph, columns) + '\n';
    paragraph.clear();
  };
  const bool ends_open = !text.empty() && text.back() != '\n';
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_apart = line.empty() || line.front() == ' ';
    if (is_apart) end_paragraph();
    paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    if (line.empty()) reflowed += '\n';
    const std::string_view next = text.substr(0, std::min(text.find_first_of(" \n"), text.size()));
    if (is_apart || letters(line) + 1 + letters(next) <= kWrittenFor) end_paragraph();
  }
  end_paragraph();
  if (ends_open && !reflowed.empty()) reflowed.pop_back();
  return reflowed;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string lines;
  std::size_t line = 0;
  for (std::string word; words >> word; line += word.size()) {
    const bool fits = line + 1 + word.size() <= width;
    if (line > 0) lines += fits ? ' ' : '\n';
    line = line > 0 && fits ? line + 1 : 0;
    lines += word;
  }
  return lines;
}

namespace {

/// A time with a star, the best one of its column.
bool is_best(std::string_view word) {
  constexpr std::array<std::string_view, 5> kStarred = {"ps*", "ns*", "us*", "ms*", "s*"};
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  return digits > 0 && std::find(kStarred.begin(), kStarred.end(), word.substr(digits)) != kStarred.end();
}

}  // namespace

std::string colored(std::string_view line) {
  std::string text(line);
  for (std::size_t star = text.find('*'); star != std::string::npos; star = text.find('*', star + 1)) {
    const std::size_t start = text.find_last_of(" \n", star) + 1;
    const std::string word = text.substr(start, star + 1 - start);
    if (!is_best(word)) continue;
    const std::string marked = std::string(kBold) + word + std::string(kPlain);
    text.replace(start, word.size(), marked);
    star = start + marked.size() - 1;
  }
  constexpr std::string_view kFailed = "FAILED";
  for (std::size_t at = text.find(kFailed); at != std::string::npos;) {
    const std::string marked = std::string(kRed) + std::string(kFailed) + std::string(kPlain);
    text.replace(at, kFailed.size(), marked);
    at = text.find(kFailed, at + marked.size());
  }
  return text;
}

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
