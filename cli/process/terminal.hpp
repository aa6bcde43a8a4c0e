// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "show/terminal/terminal_stream.hpp"

namespace heddle {

/// The terminal behind a file descriptor; no value: there is none, or one without a width, which nobody looks at. At least 80 columns; colours unless NO_COLOR is set and not
/// empty, or TERM says that it has none.
std::optional<Terminal> terminal_of(int descriptor);

/// Whether lines of the output are as long as they are though it is a terminal: --wide, and what is for programs (-, --format …).
bool keeps_long_lines(const std::vector<std::string>& arguments);

}  // namespace heddle
