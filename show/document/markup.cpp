// SPDX-License-Identifier: Apache-2.0
#include "show/document/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/printable.hpp"

namespace heddle::roff {

namespace {

/// roff takes these for something else: an escape, a hyphen, typographic quotes and accents.
std::string_view escape_of(std::uint32_t c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case 0x2026:  // …, which not every terminal's encoding has
      return "...";
    default:
      return "";
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const auto [c, bytes] = first_character(text.substr(i));  // heddle's own texts are valid UTF-8
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && c == '.') line += "\\&";  // else it is a request
    if (const std::string_view escape = escape_of(c); !escape.empty())
      line += escape;
    else
      line += c < 0x80 ? std::string(1, static_cast<char>(c)) : fmt::format("\\[u{:04X}]", c);
    i += bytes;
  }
  return line;
}

std::string bold(std::string_view text) { return text.empty() ? "" : fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return text.empty() ? "" : fmt::format("\\fI{}\\fR", escaped(text)); }

std::string paragraph(std::string_view text) { return fmt::format(".PP\n{}\n", escaped(text)); }
std::string item(std::string_view tag, std::string_view text) { return fmt::format(".TP\n{}\n{}\n", tag, escaped(text)); }

std::string lines(std::string_view text) { return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(text)); }

}  // namespace heddle::roff

namespace heddle {

namespace {

/// Calls text(…) for what is no key, brackets included, and key(…) for what is one, without brackets.
template <class Text, class Key>
void read_citations(std::string_view citations, Text text, Key key) {
  while (!citations.empty()) {
    const std::size_t open = std::min(citations.find('['), citations.size());
    text(citations.substr(0, open));
    citations.remove_prefix(open);
    if (citations.empty()) return;
    const std::size_t close = citations.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", 1);
    if (close == std::string_view::npos || citations[close] != ']' || close == 1) {
      text(citations.substr(0, 1));
      citations.remove_prefix(1);
    } else {
      key(citations.substr(1, close - 1));
      citations.remove_prefix(close + 1);
    }
  }
}

}  // namespace

std::vector<std::string_view> cited_keys(std::string_view citations) {
  std::vector<std::string_view> keys;
  read_citations(
      citations, [](std::string_view) {}, [&](std::string_view key) { keys.push_back(key); });
  return keys;
}

std::string linked_citations(std::string_view citations, std::string_view sources) {
  std::string linked;
  read_citations(
      citations, [&](std::string_view text) { linked += text; },
      [&](std::string_view key) { linked += fmt::format("[{0}]({1}#{0})", key, sources); });
  return linked;
}

}  // namespace heddle
