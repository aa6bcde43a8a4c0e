// SPDX-License-Identifier: Apache-2.0
// --groups, where groups make calls of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/units.hpp"

namespace heddle {

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
