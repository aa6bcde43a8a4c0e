// SPDX-License-Identifier: Apache-2.0
// What a fabric is, without running anything on it: what `heddle topo` prints.
#pragma once

#include <string>

#include "core/units.hpp"
#include "show/fabric/longest_route.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct FabricDescription {
  const Fabric& fabric;  ///< outlives this
  TopologyProperties facts;
  Bandwidth bisection;       ///< one way
  bool bisection_is_halves;  ///< links differ in speed: it is that between the first half of the endpoints and the second
  LongestRoute longest;
  Bytes memory;  ///< of an emulation with a rank on each endpoint, without its vectors
};

FabricDescription describe(const Fabric& fabric);

/// A line for each fact; below them a drawing, if the fabric has one in letters (draw_fabric).
std::string text_of(const FabricDescription& description);

/// One object, with a newline: `context` (version, topology) and a member for each fact. Numbers carry their unit in their name; rates and times as lab/documents/fabric_report.hpp has them.
std::string json_of(const FabricDescription& description);

/// Each preset with its source and its figures.
std::string presets_text();
/// The same as JSON: {"context": {"version"}, "presets": [{"name", and what a preset's file has (topo/presets/preset_file.hpp)}]}, with a newline.
std::string presets_json();

/// An example and a sentence for each family of topologies; the sentence below an example that is too long for its column.
std::string topology_families_text();

}  // namespace heddle
