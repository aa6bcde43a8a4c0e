// SPDX-License-Identifier: Apache-2.0
// What a call made by several groups of ranks at once came to.
#pragma once

#include <vector>

#include "core/units.hpp"
#include "emu/report/report.hpp"

namespace heddle {

struct GroupsReport {
  Report report;                 ///< of all together
  std::vector<Time> completion;  ///< by group: when the last of its ranks returned
};

}  // namespace heddle
