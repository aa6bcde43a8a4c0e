// SPDX-License-Identifier: Apache-2.0
// Two files of results compared, as a table and as JSON.
#pragma once

#include <string>

#include "lab/results/comparison.hpp"

namespace heddle {

/// For people: what the files have in common and what not, a line for each cell that is not as it was, and how many are. Lines of the head are
/// at most 100 columns long.
std::string comparison_text(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

/// One object, with a newline: `context` (version, tolerance, both files, what all cells have in common and what is not the same), how many
/// cells are `matched` and `unchanged`, how many there are of each change, `is_worse`, and `differences`: cells by their names, `old_s` and
/// `new_s` (null: not measured), `slowdown` (a part of the old time, or null) and `failure` (a kind of check, or null).
std::string comparison_json(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

}  // namespace heddle
