// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "show/sweep/sweep_section.hpp"

namespace heddle {

/// A line for each fabric and size: the best, its bandwidths, and how far the next is behind that does not do the same; below
/// them names that they have no room for, in comments of at most `width` columns. On a terminal of that width, columns that it has
/// no room for are left out.
std::string bests_text(const SweepTable& table, std::size_t width, bool is_terminal);

}  // namespace heddle
