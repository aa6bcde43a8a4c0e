// SPDX-License-Identifier: Apache-2.0
#include "show/text/citations.hpp"

#include <fmt/format.h>

#include <algorithm>

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
