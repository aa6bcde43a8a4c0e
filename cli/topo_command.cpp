// SPDX-License-Identifier: Apache-2.0
#include "cli/topo_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "cli/fabric_report.hpp"
#include "cli/version.hpp"
#include "core/errors.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

/// L of a route as long as the diameter.
Time longest_latency(const Fabric& fabric, const TopologyProperties& facts) {
  const Topology& topology = fabric.topology();
  if (facts.diameter == 0) return {};
  if (topology.is_direct()) return facts.diameter * fabric.latency(0);  // not walked: a ring's may be long
  Route route;
  topology.route(0, topology.endpoints() - 1, fabric.settings().routing, route);
  return fabric.path_latency(route, route.paths().front());
}

struct Description {
  const Fabric& fabric;
  TopologyProperties facts;
  Bandwidth bisection;  ///< one way
  Time longest_latency;
  Bytes memory;  ///< of an emulation with a rank on each endpoint, without its vectors
};

Description describe(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const TopologyProperties facts = topology.properties();
  // A topology without links carries nothing anywhere; 0 times inf would be no number.
  const Bandwidth bisection = facts.bisection == 0 ? Bandwidth() : fabric.bandwidth(0) * facts.bisection;
  return {.fabric = fabric,
          .facts = facts,
          .bisection = bisection,
          .longest_latency = longest_latency(fabric, facts),
          .memory = estimate_memory(topology.endpoints(), topology.links(), Bytes(0))};
}

std::string dims_text(const Grid* grid) {
  if (grid == nullptr) return "none";
  return fmt::format("{}, {}", fmt::join(grid->dims(), " x "), grid->wraps() ? "each wraps around" : "no wrap-around");
}

std::string as_text(const Description& it) {
  std::string text = it.fabric.topology().spec() + "\n";
  const auto line = [&](std::string_view name, const auto& value, std::string_view meaning = "") {
    text += fmt::format("  {:<16}{}{}{}\n", name, value, meaning.empty() ? "" : " ", meaning);
  };
  line("endpoints", it.facts.endpoints);
  line("switches", it.facts.switches);
  line("cables", it.facts.cables, "(each is two directed links)");
  line("degree", it.facts.degree, "cables at an endpoint, at most");
  line("diameter", it.facts.diameter, "links");
  line("bisection", it.facts.bisection, fmt::format("links, {} one way", to_string(it.bisection)));
  line("tiers", it.facts.tiers.size());
  line("dims", dims_text(it.fabric.topology().grid()));
  line("speeds", describe_speeds(it.fabric));
  line("longest route", to_string(it.longest_latency), "from drained to arrived");
  line("memory", to_string(it.memory), "at least, to emulate a rank on each endpoint, its vectors not counted");
  return text;
}

std::string as_json(const Description& it) {
  using Json = nlohmann::ordered_json;
  const Topology& topology = it.fabric.topology();
  const Grid* grid = topology.grid();
  Json json = {{"version", version()},
               {"topology", topology.spec()},
               {"endpoints", it.facts.endpoints},
               {"switches", it.facts.switches},
               {"cables", it.facts.cables},
               {"degree", it.facts.degree},
               {"diameter", it.facts.diameter},
               {"bisection_links", it.facts.bisection},
               {"bisection_Bps", bandwidth_for_json(it.bisection)},
               {"tier_count", it.facts.tiers.size()},
               {"dims", grid != nullptr ? Json(grid->dims()) : Json(nullptr)},
               {"wraps", grid != nullptr ? Json(grid->wraps()) : Json(nullptr)}};
  append_speeds(json, it.fabric);
  json["longest_latency_s"] = seconds_for_json(it.longest_latency);
  json["memory_bytes"] = it.memory.count();
  return json.dump(2) + '\n';
}

/// An example and a sentence for each family; the sentence below an example that is too long for its column.
std::string families_text() {
  constexpr std::size_t kMostExample = 40;
  std::size_t width = 0;
  for (const TopologyFamily& family : topology_families())
    if (family.example.size() <= kMostExample) width = std::max(width, family.example.size());
  std::string text = "Families:\n";
  for (const TopologyFamily& family : topology_families()) {
    const std::string_view line_end = family.example.size() > width ? "\n" : "";
    text += fmt::format("  {:<{}}{}", family.example, width, line_end);
    text += fmt::format("{:{}}{}\n", "", line_end.empty() ? 2 : width + 4, family.summary);
  }
  return text;
}

}  // namespace

void add_topo_command(CLI::App& app, TopoOptions& options) {
  CLI::App* command = app.add_subcommand("topo", "Describe a fabric: size, degree, diameter, bisection, latency");
  command->add_option("SPEC", options.fabric.topology, "The fabric's shape, e.g. torus:8x8")->type_name("");
  add_fabric_flags(*command, options.fabric);
  command->add_flag("--json", options.json, "As JSON")->group("Output");
  command->footer(families_text() + "\nExample:\n  heddle topo torus:8x8 --preset swing-nsdi24");
}

int topo_command(const TopoOptions& options, std::ostream& out) {
  if (options.fabric.topology.empty()) throw InputError("the topology is missing; try: heddle topo torus:8x8");
  const Fabric fabric = read_fabric(options.fabric, "topo");
  const Description description = describe(fabric);
  out << (options.json ? as_json(description) : as_text(description));
  return kExitOk;
}

}  // namespace heddle
