// SPDX-License-Identifier: Apache-2.0
// jobs.csv as part of the program.
#pragma once

#include <string_view>
#include <vector>

namespace heddle {

/// Without the line of titles; in pieces of whole lines, as compilers limit the length of a literal. Written by CMake.
std::vector<std::string_view> job_lines();

}  // namespace heddle
