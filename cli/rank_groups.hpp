// SPDX-License-Identifier: Apache-2.0
// --groups: which ranks call together.
#pragma once

#include <string_view>
#include <vector>

#include "core/grid.hpp"

namespace heddle {

/// Ranks of the run by group, each in the order of the group's own ranks. Groups may overlap.
using RankGroups = std::vector<std::vector<int>>;

/// One or several of these, joined by +:
///
///   4              consecutive ranks, four by four
///   strided:4      every fourth rank: 0 4 8 …, 1 5 9 …, …
///   dim:0          ranks that differ in this dimension of the grid alone; rows: in the last one, columns: in the one before
///   0-3;4-7;2,5,3  a list; the ranks of a group in their order
///
/// `grid` is that of the run's ranks or nullptr. Throws InputError.
RankGroups parse_groups(std::string_view text, int ranks, const Grid* grid);

}  // namespace heddle
