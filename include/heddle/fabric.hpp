// SPDX-License-Identifier: Apache-2.0
// The machine that is emulated, as texts and units: what the flags of `heddle run` of the same names take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/units.hpp"

namespace heddle {

/// A fabric with speeds, and who sits where. A value: it is read, and refused with InputError, where it is used. Formulas of what
/// speeds cost are in docs/model.md.
struct Machine {
  std::string topology = {};  ///< "torus:4x4", "file:racks.json" (docs/topologies.md)
  std::string preset = {};    ///< "swing-nsdi24" (`heddle list --presets`), "file:fitted.json" (docs/fit.md); empty: none
  /// No value: as many as the topology has endpoints.
  std::optional<int> ranks = {};
  std::string placement = "linear";  ///< "random:7", "file:nodes.txt"

  // What is not set is the preset's, or without one the topology's, or else 50 GB/s, 100 ns and no time.

  std::optional<Bandwidth> bandwidth = {};  ///< of each link
  std::optional<Time> latency = {};         ///< of each link
  std::optional<Time> switch_latency = {};  ///< of each switch or router
  std::optional<Time> alpha = {};           ///< start-up of a message
};

/// Of a fabric without its ranks.
struct FabricFacts {
  std::string name;  ///< the topology's text
  int endpoints = 0;
  std::vector<int> dims = {};  ///< the grid's; empty: it is none
};

/// Builds it. Throws InputError, as a run of it would.
FabricFacts describe(const Machine& machine);

}  // namespace heddle
