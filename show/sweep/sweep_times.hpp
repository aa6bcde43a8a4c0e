// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "show/sweep/sweep_section.hpp"

namespace heddle {

/// A line for each fabric and algorithm with its time at each size, * the best of its fabric and size, and the ratio to the base
/// if there is one: as many sizes beside each other as fit into `width` columns, the others below.
std::string times_text(const SweepTable& table, std::size_t width);

/// How twins are called on these lines.
std::string line_name(const SweepLine& line);

/// How far times lie apart over the seeds of ECMP: a line for each result that has a spread, with least and most, median and
/// quartiles. Empty: none has one.
std::string seeds_text(const SweepTable& table, std::size_t width, bool is_terminal);

}  // namespace heddle
