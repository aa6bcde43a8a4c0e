// SPDX-License-Identifier: Apache-2.0
#include "show/text/switch_offers_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace heddle {

std::string offers_text(const SwitchOffers& offers) {
  std::vector<std::string> parts;
  if (offers.alu) parts.emplace_back("alu");
  if (offers.multicast) parts.emplace_back("multicast");
  if (offers.scatter_gather) parts.emplace_back("a2a");
  if (parts.empty()) return {};
  if (offers.radix != std::numeric_limits<int>::max()) parts.push_back(fmt::format("radix {}", offers.radix));
  if (offers.alignment != 1) parts.push_back(fmt::format("alignment {}", offers.alignment));
  if (offers.precision) parts.push_back(fmt::format("precision {}", to_string(*offers.precision)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<OfferingSwitches> offering_switches(const Topology& topology) {
  std::vector<OfferingSwitches> all;
  for (VertexId v = topology.endpoints(); v < topology.endpoints() + topology.switches(); ++v) {
    const std::string offers = offers_text(topology.offers(v));
    if (offers.empty()) continue;
    auto same = std::find_if(all.begin(), all.end(), [&](const OfferingSwitches& known) { return known.offers == offers; });
    if (same == all.end()) same = all.insert(all.end(), {offers, {}});
    same->switches.push_back(v);
  }
  return all;
}

std::string ranges_text(const std::vector<VertexId>& vertices, const Topology& topology) {
  constexpr std::size_t kLeastBySteps = 3;
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < vertices.size();) {
    std::size_t last = first;
    const int step = first + 1 < vertices.size() ? vertices[first + 1] - vertices[first] : 1;
    while (last + 1 < vertices.size() && vertices[last + 1] - vertices[last] == step) ++last;
    if (step != 1 && last - first + 1 < kLeastBySteps) last = first;
    std::string part = topology.vertex_name(vertices[first]);
    if (last > first) part += "-" + topology.vertex_name(vertices[last]);
    if (last > first && step != 1) part += fmt::format(" by {}", step);
    parts.push_back(std::move(part));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace heddle
