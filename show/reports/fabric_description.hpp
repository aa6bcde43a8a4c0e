// SPDX-License-Identifier: Apache-2.0
// What a fabric is, without running anything on it.
#pragma once

#include <cstddef>
#include <string>

#include "heddle/units.hpp"
#include "show/document/document.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct LongestRoute {
  Time latency;       ///< L(P) of the longest path of any route between endpoints
  bool exact = true;  ///< false: of those looked at, so that it is at least this
  /// Of the routes looked at, some have ways of unequal width: each is filled by what it can carry (topo/fabric/ways.hpp).
  bool has_unequal_ways = false;
  std::size_t most_ways = 0;  ///< of one of them
};

/// Looks at the routes between all endpoints, two of those that hang on the same switches by the same links; of fabrics that
/// are too large for that, at those from a few endpoints: each time the one farthest from the last, then in order.
LongestRoute longest_route(const Fabric& fabric);

// What a fabric is, without running anything on it: what `heddle topo` prints.

struct FabricDescription {
  const Fabric& fabric;  ///< outlives this
  TopologyProperties facts;
  Bandwidth bisection;       ///< one way
  bool bisection_is_halves;  ///< links differ in speed: it is that between the first half of the endpoints and the second
  LongestRoute longest;
  Bytes memory;  ///< of an emulation with a rank on each endpoint, without its vectors
};

FabricDescription describe(const Fabric& fabric);

/// A line for each fact; below them a drawing, if the fabric has one in letters (draw_fabric). JSON: `context` (topology) and a member for
/// each fact. Numbers carry their unit in their name; rates and times as lab/documents/context.hpp has them.
Document fabric_report(const FabricDescription& description);

/// Each preset with its source and its figures. JSON: `presets`, each with its name and what a preset's file has
/// (topo/presets/preset_file.hpp).
Document presets_report();

/// An example and a sentence for each family of topologies; the sentence below an example that is too long for its column.
std::string topology_families_text();

}  // namespace heddle
