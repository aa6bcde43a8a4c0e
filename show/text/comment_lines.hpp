// SPDX-License-Identifier: Apache-2.0
// Lines about a run, which begin with #, within so many columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// Letters, not bytes: formulas are written with ⌈ and ₂.
std::size_t letters(std::string_view text);

/// Breaks each line that is longer than `columns` letters, at a blank, or behind a comma, a semicolon or a plus where a list
/// has no blanks. What goes on is a comment too, indented by two more than the line. A word that is longer by itself stays
/// whole.
std::string break_comments(std::string_view lines, std::size_t columns);

}  // namespace heddle
