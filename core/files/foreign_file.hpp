// SPDX-License-Identifier: Apache-2.0
// Text files of other tools: what readers of them share, with complaints that name file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"

namespace heddle {

class ForeignFile {
 public:
  struct Line {
    int number;
    std::string_view text;  ///< without blanks around it
  };

  /// Reads it. Throws InputError "PATH: …" if it cannot be read, has more than 64 MiB, or a byte 0.
  explicit ForeignFile(std::string path);
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// Those that have anything but blanks and what follows '#', if that begins a comment.
  std::vector<Line> lines(bool has_comments = true) const;

  /// Throws InputError "PATH:LINE: REASON".
  [[noreturn]] void fail(int line, const std::string& reason) const;
  /// Throws InputError "PATH: REASON".
  [[noreturn]] void fail(const std::string& reason) const;

  // Numbers in the text; `what` is what a message calls them.

  /// In [least, most].
  std::int64_t whole(int line, std::string_view text, std::string_view what, std::int64_t least, std::int64_t most) const;
  /// At least 0, and finite; `is_positive`: above 0.
  double number(int line, std::string_view text, std::string_view what, bool is_positive) const;
  /// In units of so many seconds; at most an hour.
  Time span(int line, std::string_view text, std::string_view what, double unit) const;

 private:
  std::string path_;
  std::string text_;
};

std::string_view stripped(std::string_view text);
/// Between blanks.
std::vector<std::string_view> words_of(std::string_view text);
std::string lower_case(std::string_view text);

}  // namespace heddle
