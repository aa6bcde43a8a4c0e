// SPDX-License-Identifier: Apache-2.0
// emulate(), for functions that ask for more than messages: heddle's own checks.
#pragma once

#include "emu/messages/measured_communicator.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// As emulate() (emu/run/emulate.hpp).
Report emulate_measured(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
                        const EmulationSettings& settings);

}  // namespace heddle::emu
