// SPDX-License-Identifier: Apache-2.0
#include "lab/run/testbed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "emu/record/memory_estimate.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

int ranks_of(const MachineSpec& machine, const Topology& topology) {
  if (machine.over) {
    if (machine.over->size() <= topology.endpoints()) return machine.over->size();
    throw InputError(fmt::format("--reference {}: it has {} endpoints, the network has {} processes", topology.spec(),
                                 topology.endpoints(), machine.over->size()));
  }
  if (!machine.ranks) return read_flag("--placement", machine.placement, ranks_of_placement).value_or(topology.endpoints());
  return read_flag("--ranks", std::to_string(*machine.ranks), [&](std::string_view text) {
    try {
      return static_cast<int>(parse_integer(text, 1, topology.endpoints()));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}, the endpoints of {}", error.what(), topology.spec()));
    }
  });
}

/// Only the virtual clock can do what these ask for.
void require_wall(const SettingsSpec& settings) {
  if (settings.threads == Threads::user)
    throw InputError("--threads user: under --clock wall ranks run on kernel threads; leave --threads out");
  const auto refuse = [](bool is_given, std::string_view flag) {
    if (is_given) throw InputError(fmt::format("{0}: under --clock wall the machine orders what happens; leave {0} out", flag));
  };
  refuse(settings.order_seed.has_value(), "--order-seed");
  refuse(!settings.order.is_usual(), "--order");
  refuse(settings.explore.has_value(), "--explore");
}

/// Only an emulation can do what these ask for.
void require_real(const MachineSpec& machine, const SettingsSpec& settings) {
  const auto refuse = [](bool is_given, std::string_view flag) {
    if (is_given) throw InputError(fmt::format("{0}: --transport runs on a network that is there; leave {0} out", flag));
  };
  refuse(settings.clock.is_wall, "--clock wall");
  refuse(!settings.background.empty(), "--background");
  refuse(!settings.faults.empty(), "--fault");
  refuse(settings.explore.has_value(), "--explore");
  refuse(machine.placement != "linear", "--placement");
  if (machine.ranks && *machine.ranks != machine.over->size())
    throw InputError(fmt::format("--ranks {}: the network has {} processes", *machine.ranks, machine.over->size()));
}

/// What several members say together.
void require_consistent(const MachineSpec& machine, const SettingsSpec& settings) {
  if (settings.explore && !settings.order.is_usual())
    throw InputError("--explore tries orders, --order is one; leave one of the two out");
  if (machine.over) require_real(machine, settings);
  if (settings.clock.is_wall) {
    require_wall(settings);
  } else if (settings.clock.dilation || settings.clock.deadline_seconds) {
    throw InputError(fmt::format("{}: the virtual clock knows no wall time; add --clock wall",
                                 settings.clock.dilation ? "--time-scale" : "--deadline"));
  }
}

Faults read_faults(const SettingsSpec& settings, const Topology& topology, int ranks) {
  Faults faults;
  for (const std::string& spec : settings.faults) {
    read_flag("--fault", spec, [&](std::string_view text) {
      add_fault(faults, text, topology, ranks);
      return true;
    });
  }
  if (!faults.empty() && settings.clock.is_wall)
    throw InputError("--fault: the wall clock serves no faults; leave --clock wall out");
  const std::string_view lack = why_not(settings.model, ModelNeed::link_faults);
  if ((!faults.links.empty() || faults.worst) && !lack.empty())
    throw InputError(fmt::format("--fault: --model {} {}; leave it out", to_string(settings.model), lack));
  return faults;
}

std::vector<NamedBackgroundFlow> read_background(const SettingsSpec& settings, const Fabric& fabric) {
  std::vector<NamedBackgroundFlow> flows;
  for (const std::string& text : settings.background)
    std::ranges::move(read_flag("--background", text, [&](std::string_view some) { return parse_background(some, fabric); }),
                      std::back_inserter(flows));
  return flows;
}

}  // namespace

Testbed build_testbed(const MachineSpec& machine, const SettingsSpec& settings, Fabric fabric) {
  const Topology& topology = fabric.topology();
  const int ranks = ranks_of(machine, topology);
  EmulationSettings emulation;
  emulation.buffering = settings.buffering;
  emulation.model = settings.model;
  emulation.threads = settings.threads.value_or(emulation.threads);
  emulation.order_seed = settings.order_seed;
  emulation.order = settings.order;
  if (settings.stack) emulation.stack_bytes = static_cast<std::size_t>(settings.stack->count());
  emulation.faults = read_faults(settings, topology, ranks);
  require_consistent(machine, settings);
  // Before anything is made in proportion to the ranks.
  require_memory(estimate_memory(ranks, topology.links(), Bytes(0)), topology.spec());
  Placement placement = read_flag("--placement", machine.placement,
                                  [&](std::string_view text) { return parse_placement(text, ranks, topology); });
  std::vector<NamedBackgroundFlow> background = read_background(settings, fabric);
  for (const NamedBackgroundFlow& flow : background) emulation.background.push_back(flow.flow);
  return {.fabric = std::move(fabric),
          .fitted = fit_record_of(machine.fabric),
          .placement = std::move(placement),
          .background = std::move(background),
          .settings = std::move(emulation)};
}

}  // namespace heddle
