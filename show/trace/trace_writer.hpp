// SPDX-License-Identifier: Apache-2.0
// A run's timeline in the Trace Event Format of Chrome's tracing (docs/pictures.md says what is where), which Perfetto opens.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::pictures {

/// Writes one event after the other, a line each; no document is made in memory. The same bytes for the same input. `about`
/// goes into otherData; `faults` are of links. A stream that fails is left failed.
void write_trace(const Timeline& timeline, const Topology& topology, const Placement& placement,
                 const nlohmann::ordered_json& about, std::ostream& out, const std::vector<LinkFault>& faults = {});

}  // namespace heddle::pictures
