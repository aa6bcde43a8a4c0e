// SPDX-License-Identifier: Apache-2.0
// What a wrong result depends on besides what was asked for: found out by running the call again, as it was and in other orders.
#pragma once

#include <string>

#include "emu/checks/groups_run.hpp"
#include "emu/run/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

/// What is wrong with a call that is made once more, by all ranks of a run of their own; empty: nothing.
std::string wrong_when_repeated(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                EmulationSettings settings);

struct Dependence {
  bool comes_again = true;  ///< the same call, made again, is wrong in the same way
  std::string text = {};    ///< a line, indented, without a newline; empty: nothing was found
};

/// `wrong` is what explain_failures() says of the group, whose ranks are all of the run. It is made again a few times.
Dependence find_dependence(const Fabric& fabric, const GroupCalls& group, const EmulationSettings& settings,
                           const std::string& wrong);

}  // namespace heddle::emu
