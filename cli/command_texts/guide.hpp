// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// A command to begin with, and what it shows.
struct FirstCommand {
  std::string_view line;
  std::string_view meaning;
};
std::span<const FirstCommand> first_commands();

/// What `heddle` alone prints: at most 20 lines of 80 columns.
std::string guide();

}  // namespace heddle
