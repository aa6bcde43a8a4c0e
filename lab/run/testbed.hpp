// SPDX-License-Identifier: Apache-2.0
// Where a run takes place: a machine that is built, what else is on it, and settings as an emulation takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/settings/emulation_settings.hpp"
#include "lab/describe/experiment.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

// --background: what else is on the fabric while a workload runs.

/// A flow and how it is called in reports.
struct NamedBackgroundFlow {
  std::string name;
  BackgroundFlow flow;
};

/// Flows with commas between them:
///
///   0->5             between two endpoints over the fabric's way between them; takes all that max-min fairness gives it
///   0->5@100Gbps     at most this rate
///   0->5@50%         at most half of what a message alone on that way gets
///   leaf0->spine1    over one link, as `heddle topo --links` and reports name it; where cables lie side by side, over each,
///                    and a rate is divided among them
///
/// Endpoints have their number or their name: "(0,1)". Throws InputError.
std::vector<NamedBackgroundFlow> parse_background(std::string_view text, const Fabric& fabric);

/// What runs of every workload need. A value. Several runs may use one at once.
struct Testbed {
  Fabric fabric;
  std::optional<FitRecord> fitted = {};  ///< what the fabric's speeds were fitted to; no value: they are assumed
  Placement placement = {};
  std::vector<NamedBackgroundFlow> background = {};
  EmulationSettings settings = {};  ///< of the virtual clock

  int ranks() const { return static_cast<int>(placement.size()); }
};

/// On a fabric that has been built already, of machine.fabric. Throws InputError that names the flag of `heddle run`, before
/// anything is made in proportion to the ranks.
Testbed build_testbed(const MachineSpec& machine, const SettingsSpec& settings, Fabric fabric);

}  // namespace heddle
