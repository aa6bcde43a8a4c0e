// SPDX-License-Identifier: Apache-2.0
// --fault link:worst: which link's fault costs one algorithm most (docs/faults.md, "The worst link").
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct WorstLink {
  LinkFault fault = {};
  std::string text = {};       ///< of the fault, as --fault takes it: "link:0->1,slow=4"
  Time without = {};           ///< the run's time without it
  std::size_t tried = 0;       ///< links that had the fault, one after the other
  std::size_t candidates = 0;  ///< links that carry something, of which those were the fullest; of links taken as one, one
  std::size_t as_bad = 0;      ///< others that cost as much
  bool costs_nothing = false;
};

/// Runs it without the fault, then with each of the fullest links at fault, at most 64. A link that is down and leaves somebody no
/// way is the worst. `run` makes a run under the settings given, checked. Throws CheckError if the run without the fault fails,
/// InputError where no link carries anything.
WorstLink find_worst_link(const Fabric& fabric, const EmulationSettings& settings,
                          const std::function<Report(const EmulationSettings&)>& run);

/// "the worst of 16 links that carry something: link:0->1,slow=4; without it 38.1us; 15 others cost as much".
std::string to_string(const WorstLink& worst);

}  // namespace heddle
