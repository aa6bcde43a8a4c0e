// SPDX-License-Identifier: Apache-2.0
// Flags of the fabric.
#include <fmt/format.h>

#include "lab/describe/flag_rows.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/tier_values.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle::flag_rows {

namespace {

std::string names_of_presets() {
  std::string names;
  for (const FabricPreset& preset : fabric_presets()) names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  return names;
}

std::vector<FlagWord> preset_words() {
  std::vector<FlagWord> words;
  for (const FabricPreset& preset : fabric_presets()) words.push_back({std::string(preset.name), std::string(preset.summary)});
  words.push_back({"file:", "One that heddle fit has written"});
  return words;
}

/// A value for each tier of links.
template <class Parse>
auto list_of(Parse parse) {
  return [=](Value text) { return parse_tier_values(text, parse); };
}

}  // namespace

Flags fabric_rows() {
  return {
      {.name = "--preset",
       .type = "NAME",
       .help = fmt::format("A source's speeds: {}; or file:PATH, which heddle fit writes. Other flags override single ones",
                           names_of_presets()),
       .value = member(&FabricSpec::preset, [](Value v) { return preset_settings(v), as_is(v); }),
       .context = {"preset", [](const E& e) { return null_if_empty(e.fabric.preset); }},
       .words = preset_words()},
      {.name = "--bw",
       .type = "RATE[,...]",
       .help = fmt::format(
           "Bandwidth of each link, one way ({} without a preset); inf: unlimited. A list gives the tiers of "
           "links one by one, innermost first; the last value serves all beyond. On a grid they are its dimensions, "
           "also by name: x=100GB/s,y=25GB/s",
           to_string(LinkSpeed().bandwidth)),
       .value = member(&FabricSpec::bandwidth, list_of(parse_bandwidth))},
      {.name = "--latency",
       .type = "TIME[,...]",
       .help = fmt::format("Latency of each link ({} without a preset), or one for each tier", to_string(LinkSpeed().latency)),
       .value = member(&FabricSpec::latency, list_of(parse_time))},
      {.name = "--eta-alpha",
       .type = "FACTOR[,...]",
       .help = "At least 1: multiplies the latency of links and of the routers or switches that they leave (1), or one for "
               "each tier",
       .value = member(&FabricSpec::eta_alpha, list_of(parse_factor))},
      {.name = "--eta-beta",
       .type = "FACTOR[,...]",
       .help = "Above 0 and at most 1: multiplies the bandwidth of links (1), or one for each tier",
       .value = member(&FabricSpec::eta_beta, list_of(parse_factor))},
      {.name = "--switch-latency",
       .type = "TIME",
       .help = "Forwarding time of each router; on a switched fabric, of each switch",
       .value = member(&FabricSpec::hop, parse_time)},
      {.name = "--host-link",
       .type = "TIME",
       .help = "On a direct network, the latency of a link between each host and its router: two of them and a router more on "
               "every route (0: hosts are their routers)",
       .value = member(&FabricSpec::host_link, parse_time)},
      {.name = "--alpha",
       .type = "TIME",
       .help = "Start-up of a message; messages posted together overlap theirs",
       .value = member(&FabricSpec::alpha, parse_time)},
      {.name = "--gamma",
       .type = "TIME",
       .help = "Local work (reduce, copy) per byte",
       .value = member(&FabricSpec::gamma, parse_seconds, "s")},
      {.name = "--send-overhead",
       .type = "TIME",
       .help = "Time that each send occupies its rank (LogP's o)",
       .value = member(&FabricSpec::send_overhead, parse_time)},
      {.name = "--recv-overhead",
       .type = "TIME",
       .help = "Time that each receive occupies its rank",
       .value = member(&FabricSpec::recv_overhead, parse_time)},
      {.name = "--routing",
       .type = "WAY",
       .help = "Where several shortest ways lead: adaptive (of the message, each way what it can carry, the default), "
               "deterministic (all of it the first way) or ecmp[:SEED] (all of it one way, which a hash of sender and receiver "
               "chooses)",
       .value = member(&FabricSpec::routing, parse_routing),
       .words = {{"adaptive"}, {"deterministic"}, {"ecmp"}}}};
}

}  // namespace heddle::flag_rows
