// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/shell_words.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"

namespace heddle {

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (quote != 0 ? c == quote : (c == '\'' || c == '"')) {
      quote = quote != 0 ? '\0' : c;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (is_blank && quote == 0) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  if (quote != 0) throw InputError(fmt::format("{}: a quote has no end", line));
  return words;
}

std::string shell_word(std::string_view text) {
  const bool is_plain = text.find_first_of(" \t\n'\"<>()&;|*?$`\\!{}[]#~") == std::string::npos && !text.empty();
  if (is_plain) return std::string(text);
  if (text.find('\'') != std::string::npos && text.find_first_of("\"$`\\!") == std::string::npos)
    return fmt::format("\"{}\"", text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string(R"('"'"')") : std::string(1, c);
  return word + "'";
}

}  // namespace heddle
