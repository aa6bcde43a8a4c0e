// SPDX-License-Identifier: Apache-2.0
// --groups: which ranks call together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/units.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

struct RankGroups {
  /// Ranks of the run by group, each in the order of the group's own ranks. Groups may overlap.
  std::vector<std::vector<int>> members;
  /// By group: the name of the set that it belongs to ("tp"), or empty.
  std::vector<std::string> names;

  bool empty() const { return members.empty(); }
  std::size_t size() const { return members.size(); }
};

/// One or several of these, joined by +:
///
///   4                  consecutive ranks, four by four
///   strided:4          every fourth rank: 0 4 8 …, 1 5 9 …, …
///   dim:0              ranks that differ in this dimension of the grid alone; rows: in the last one, columns: in the one before
///   8 along x          of those, eight by eight in the order of their coordinates; x, y, z and w are dimensions 0 to 3, or a number
///   random:8,seed=3    eight by eight, drawn by seed (1 if left out), those of a group in their order
///   tier:0             ranks whose endpoints are in one group of this tier of the fabric, 0 the innermost: on one leaf
///   0-3;4-7;2,5,3      a list; the ranks of a group in their order
///
/// A name and a colon before one of them names its groups: "tp:8 along x + dp:8 along y".
///
/// `placement` is that of the run's ranks. Throws InputError.
RankGroups parse_groups(std::string_view text, const Placement& placement, const Topology& topology);

// --groups, where groups make calls of their own.

/// What the groups of one part of --groups call; what is not given is the run's.
struct GroupsPart {
  std::string text;                           ///< as written: "dp:strided:8=allgather/ring@64MiB"
  std::string groups;                         ///< as parse_groups reads them, with their name: "dp:strided:8"
  std::optional<Collective> collective = {};  ///< no value: the part says nothing of a call
  std::string algorithm = {};                 ///< with its options; empty: not given
  std::optional<Bytes> size = {};
};

/// Parts that are joined by +, each GROUPS or GROUPS=COLLECTIVE[/ALGORITHM][@SIZE]. The call begins at the first = behind which a
/// letter stands, so random:8,seed=3 has none. Throws InputError that shows the part and what is wrong in it.
std::vector<GroupsPart> split_group_calls(std::string_view text);

/// Whether one of the parts says something of a call.
bool have_calls(std::string_view groups);

}  // namespace heddle
