// SPDX-License-Identifier: Apache-2.0
// A collective that ranks have asked the switches for: gathered until the last of them has, then under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/collective.hpp"
#include "core/units.hpp"
#include "emu/groups/group.hpp"
#include "emu/report/critical_path.hpp"
#include "emu/switches/in_network_plan.hpp"
#include "emu/tasks/tasks.hpp"

namespace heddle::emu {

/// Ranks are those of the group.
struct SwitchCall {
  std::shared_ptr<const Group> group;
  Collective collective = Collective::allreduce;
  std::vector<const CollectiveArguments*> arguments;  ///< by rank; nullptr until it has asked
  std::vector<TaskId> tasks;
  int first = 0;  ///< the rank that asked first
  int last = 0;   ///< and last
  std::size_t asked = 0;
  Time ready;            ///< the last rank has spent what it takes to ask
  CriticalPath path;     ///< of that; then of its start
  Time contention_free;  ///< of either, had nobody shared a link
  Time entered;          ///< it streams from then on
  std::uint32_t record = CriticalPath::kNoRecord;
  std::uint32_t phase = CriticalPath::kNoRecord;  ///< that the last rank to ask was in
  int round = 0;
  bool verification = true;
  InNetworkPlan plan;
};

}  // namespace heddle::emu
