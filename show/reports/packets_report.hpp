// SPDX-License-Identifier: Apache-2.0
// What is said of a run under the packet model beside what every run has (docs/packets.md): queues, stalls, and what room there was.
#pragma once

#include <string>

#include "emu/record/report.hpp"
#include "emu/settings/packet_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// "# packets of 4KiB, head forwarding, buffers 8 to 40, voq, transit, 2 VCs", and another line where buffers keep links from their
/// rate. Throws InputError: packets cannot run on this fabric.
std::string packets_head(const Fabric& fabric, const PacketSettings& settings);

/// Lines of an explanation: which links packets waited longest for, and what these did meanwhile. Empty: none waited.
std::string queues_lines(const Report& report, const Topology& topology);

}  // namespace heddle
