// SPDX-License-Identifier: Apache-2.0
// How much of what its links could carry a run has used (docs/model.md, "What is counted").
#pragma once

#include <cstddef>
#include <vector>

#include "core/units.hpp"
#include "emu/report/report.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// The bytes of a link over what it could carry in `time`, faults counted: 0 … 1 where that is the run's time. 0 if its bandwidth
/// is unlimited, or it could carry nothing.
double utilisation(const LinkReport& link, const Fabric& fabric, Time time);

/// The links that carried anything, most utilised first, where that is equal most bytes first, then by number; at most `most`
/// of them. The report is of a run on this fabric.
std::vector<LinkReport> most_utilised_links(const Report& report, const Fabric& fabric, std::size_t most);

}  // namespace heddle
