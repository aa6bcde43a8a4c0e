// SPDX-License-Identifier: Apache-2.0
#include "cli/process/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

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

bool keeps_long_lines(const std::vector<std::string>& arguments) {
  constexpr std::array<std::string_view, 3> kForPrograms = {"export", "manual", "complete"};
  if (!arguments.empty() && std::ranges::find(kForPrograms, arguments.front()) != kForPrograms.end() &&
      std::ranges::find(arguments, "--help") == arguments.end())
    return true;
  return std::ranges::any_of(arguments, [](std::string_view word) {
    return word == "-" || word.ends_with("=-") || word == "--wide" || word == "--markdown" || word.starts_with("--format");
  });
}

}  // namespace heddle
