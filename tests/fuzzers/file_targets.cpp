// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "cli/check_command_line.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "tests/fuzzers/memory_file.hpp"
#include "tests/fuzzers/refusal.hpp"
#include "tests/fuzzers/targets.hpp"

namespace heddle::fuzzers {

namespace {

/// Words between blanks and line feeds.
std::vector<std::string> words_of_line(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    if (end > begin) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

void sweep_file(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] { read_sweep_file(file.path()); });
}

void command_line(std::string_view text) {
  may_refuse([&] { check_command_line(words_of_line(text)); });
}

}  // namespace heddle::fuzzers
