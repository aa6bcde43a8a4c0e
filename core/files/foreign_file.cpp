// SPDX-License-Identifier: Apache-2.0
#include "core/files/foreign_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::string_view kBlanks = " \t\r\n\v\f";

}  // namespace

std::string_view stripped(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = stripped(text); !text.empty(); text = stripped(text)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

ForeignFile::ForeignFile(std::string path) : path_(std::move(path)) {
  try {
    text_ = read_file(path_, kMostBytes);
  } catch (const InputError& error) {
    fail(error.what());
  }
  if (text_.find('\0') != std::string::npos) fail("it has a byte 0, which no text has");
}

std::vector<ForeignFile::Line> ForeignFile::lines(bool has_comments) const {
  std::vector<Line> lines;
  int number = 1;
  for (std::string_view rest = text_; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (has_comments) line = line.substr(0, line.find('#'));
    if (line = stripped(line); !line.empty()) lines.push_back({number, line});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

void ForeignFile::fail(int line, const std::string& reason) const {
  throw InputError(fmt::format("{}:{}: {}", path_, line, reason));
}

void ForeignFile::fail(const std::string& reason) const { throw InputError(fmt::format("{}: {}", path_, reason)); }

std::int64_t ForeignFile::whole(int line, std::string_view text, std::string_view what, std::int64_t least,
                                std::int64_t most) const {
  const auto value = read_number<std::int64_t>(text);
  if (!value || *value < least || *value > most)
    fail(line, fmt::format("{} '{}': a whole number from {} to {} is needed", what, printable(text), least, most));
  return *value;
}

double ForeignFile::number(int line, std::string_view text, std::string_view what, bool is_positive) const {
  constexpr double kMost = 1e15;
  const auto value = read_number<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0 || *value > kMost || (is_positive && *value == 0))
    fail(line, fmt::format("{} '{}': a number {} is needed", what, printable(text), is_positive ? "above 0" : "from 0"));
  return *value;
}

Time ForeignFile::span(int line, std::string_view text, std::string_view what, double unit) const {
  constexpr double kMostSeconds = 3600;
  const double seconds = number(line, text, what, false) * unit;
  if (seconds > kMostSeconds) fail(line, fmt::format("{} '{}': more than an hour", what, printable(text)));
  return Time::from_seconds(seconds);
}

}  // namespace heddle
