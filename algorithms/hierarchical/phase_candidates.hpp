// SPDX-License-Identifier: Apache-2.0
// What tuning tries for the options of a composed algorithm. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace heddle {

/// Rows for the phases of one of its levels, "inner", "middle" or "outer", with all other options of `parameters` at their
/// defaults: those that serve there, first those of which the formulas promise least time for messages between near ranks, then
/// for "inner" and "outer" the same rows with one option of their own. None where the shape has no such level, or one of groups
/// of one rank.
std::vector<std::string> phase_candidates(Collective whole, std::span<const Parameter> parameters, std::string_view level,
                                          const Shape& shape);

/// Of how many levels: fewer than there are, most first. Not 1, which is a row of its own.
std::vector<std::string> tier_candidates(const Shape& shape);

}  // namespace heddle
