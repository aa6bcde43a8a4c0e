// SPDX-License-Identifier: Apache-2.0
#include "lab/run/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/read_number.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "topo/fabric/topology.hpp"

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
  std::vector<LinkFault> of_links = faults.links;
  if (faults.worst) of_links.push_back(*faults.worst);
  for (const LinkFault& fault : of_links) {
    const std::string_view lack = why_not(settings.model, need_of(fault));
    if (!lack.empty()) throw InputError(fmt::format("--fault: --model {} {}; leave it out", to_string(settings.model), lack));
  }
  return faults;
}

constexpr std::string_view kBackgroundHelp =
    "flows are as 0->5, 0->5@100Gbps, 0->5@50% or, over one link by its name, s0->3@50%";

/// "100Gbps", or "50%" of `whole`.
Bandwidth parse_rate(std::string_view text, Bandwidth whole) {
  if (!text.ends_with('%')) return parse_bandwidth(text);
  const auto percent = read_number<double>(text.substr(0, text.size() - 1));
  if (!percent || !(*percent > 0) || *percent > 100)
    throw InputError(fmt::format("'{}': a share is above 0% and at most 100%", text));
  if (whole.is_unlimited()) throw InputError(fmt::format("'{}': a share of unlimited bandwidth; give a rate as 100Gbps", text));
  return whole * (*percent / 100);
}

/// One flow, or one over each of several cables side by side.
std::vector<BackgroundFlow> parse_flow(std::string_view text, const Fabric& fabric) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) throw InputError(fmt::format("'{}': no background flow; {}", text, kBackgroundHelp));
  const std::size_t at = text.find('@', arrow);
  const Topology& topology = fabric.topology();
  const VertexId from = find_vertex(text.substr(0, arrow), topology, kBackgroundHelp);
  const VertexId to =
      find_vertex(text.substr(arrow + 2, at == std::string_view::npos ? at : at - arrow - 2), topology, kBackgroundHelp);
  if (from == to) throw InputError(fmt::format("'{}': a flow leads to another place than it comes from", text));
  const std::optional<std::string_view> rate = at == std::string_view::npos ? std::nullopt : std::optional(text.substr(at + 1));

  if (from < topology.endpoints() && to < topology.endpoints()) {
    const double seconds_per_byte = message_cost(fabric, from, to).seconds_per_byte;
    const Bandwidth alone = seconds_per_byte > 0 ? Bandwidth(1 / seconds_per_byte) : Bandwidth::unlimited();
    return {{.from = from, .to = to, .rate = rate ? parse_rate(*rate, alone) : Bandwidth::unlimited()}};
  }
  std::vector<BackgroundFlow> flows;
  const std::vector<LinkId> links = links_between(from, to, topology);
  const double share = 1 / static_cast<double>(links.size());
  for (const LinkId link : links) {
    const Bandwidth all = fabric.bandwidth(link) * static_cast<double>(links.size());
    flows.push_back(
        {.from = from, .to = to, .link = link, .rate = rate ? parse_rate(*rate, all) * share : Bandwidth::unlimited()});
  }
  return flows;
}

std::vector<NamedBackgroundFlow> read_background(const SettingsSpec& settings, const Fabric& fabric) {
  std::vector<NamedBackgroundFlow> flows;
  for (const std::string& text : settings.background)
    std::ranges::move(read_flag("--background", text, [&](std::string_view some) { return parse_background(some, fabric); }),
                      std::back_inserter(flows));
  return flows;
}

}  // namespace

std::vector<NamedBackgroundFlow> parse_background(std::string_view text, const Fabric& fabric) {
  std::vector<NamedBackgroundFlow> flows;
  for (const std::string_view part : split_outside_parentheses(text)) {
    for (BackgroundFlow& flow : parse_flow(part, fabric)) {
      require_possible(fabric, flow);
      flows.push_back({std::string(part), std::move(flow)});
    }
  }
  return flows;
}

Testbed build_testbed(const MachineSpec& machine, const SettingsSpec& settings, Fabric fabric) {
  const Topology& topology = fabric.topology();
  const int ranks = ranks_of(machine, topology);
  EmulationSettings emulation;
  emulation.buffering = settings.buffering;
  emulation.model = settings.model;
  emulation.threads = settings.threads.value_or(emulation.threads);
  emulation.order_seed = settings.order_seed;
  emulation.order = settings.order;
  emulation.interrupted = settings.clock.interrupted;
  if (settings.stack) emulation.stack_bytes = static_cast<std::size_t>(settings.stack->count());
  emulation.faults = read_faults(settings, topology, ranks);
  require_consistent(machine, settings);
  // Before anything is made in proportion to the ranks.
  require_memory(estimate_memory(ranks, topology.links(), Bytes(0)), [&] { return topology.spec(); });
  Placement placement = read_flag("--placement", machine.placement,
                                  [&](std::string_view text) { return parse_placement(text, ranks, topology); });
  if (std::shared_ptr<const Topology> served = topology.with_ranks_on(placement))
    fabric = Fabric(std::move(served), fabric.settings());
  if (const std::string lack = why_not(settings.model, fabric); !lack.empty())
    throw InputError(fmt::format("--model {} {}", to_string(settings.model), lack));
  if (const std::string_view lack = why_not(settings.model, ModelNeed::background);
      !settings.background.empty() && !lack.empty())
    throw InputError(fmt::format("--background: --model {} {}; or leave it out", to_string(settings.model), lack));
  std::vector<NamedBackgroundFlow> background = read_background(settings, fabric);
  for (const NamedBackgroundFlow& flow : background) emulation.background.push_back(flow.flow);
  return {.fabric = std::move(fabric),
          .fitted = fit_record_of(machine.fabric),
          .placement = std::move(placement),
          .background = std::move(background),
          .settings = std::move(emulation)};
}

}  // namespace heddle
