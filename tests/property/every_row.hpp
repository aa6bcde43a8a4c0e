// SPDX-License-Identifier: Apache-2.0
// Every row of the registry on a fabric: what it may be asked, and a checked run of it.
#pragma once

#include <string>

#include "algorithms/registry/registry.hpp"
#include "emu/report/report.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle::testing {

/// A call of this row on all endpoints of the topology, where messages and hops take time; without elements.
Experiment call_of(const Algorithm& row, std::string topology);

/// Runs it with all checks, those of what its row promises, and that of its critical path. Throws what these throw.
Report run(const Experiment& what);

}  // namespace heddle::testing
