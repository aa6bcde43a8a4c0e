// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/results/comparison.hpp"

namespace heddle {

/// For people: what the files have in common and what not, a line for each cell that is not as it was, and how many are. Lines of the head are
/// at most 100 columns long.
std::string comparison_text(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

}  // namespace heddle
