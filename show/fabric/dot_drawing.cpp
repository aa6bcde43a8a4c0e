// SPDX-License-Identifier: Apache-2.0
#include "show/fabric/dot_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "show/fabric/cable_bundles.hpp"
#include "show/text/switch_offers_text.hpp"

namespace heddle {

namespace {

constexpr int kMostDrawnLinks = 2'000'000;

std::string_view color_of_tier(int tier) {
  static constexpr std::array<std::string_view, 6> kColors = {"black", "#1f6fb4", "#c0392b", "#27864a", "#8e44ad", "#b9770e"};
  return kColors.at(static_cast<std::size_t>(tier) % kColors.size());
}

/// Endpoints of a ring on a circle, those of a grid of two dimensions on a lattice; else empty.
std::string position(const Topology& topology, VertexId endpoint) {
  const Grid* grid = topology.grid();
  if (grid == nullptr || grid->dimensions() > 2) return {};
  const std::vector<int> at = grid->coordinates(Rank(endpoint));
  if (at.size() == 2) return fmt::format(R"( [pos="{},{}!"])", at[1], -at[0]);
  if (!grid->wraps()) return fmt::format(R"( [pos="{},0!"])", at[0]);
  const double angle = 2 * std::numbers::pi * endpoint / grid->size();
  const double radius = grid->size() / (2 * std::numbers::pi);
  return fmt::format(R"( [pos="{:.3f},{:.3f}!"])", radius * std::sin(angle), radius * std::cos(angle));
}

void write_switches(const Topology& topology, const std::vector<int>& level, std::ostream& out) {
  const int highest = *std::max_element(level.begin(), level.end());
  for (int layer = highest; layer > 0; --layer) {
    out << "  { rank=same;";
    for (VertexId v = topology.endpoints(); v < topology.endpoints() + topology.switches(); ++v)
      if (level[static_cast<std::size_t>(v)] == layer) out << fmt::format(R"( "{}";)", topology.vertex_name(v));
    out << " }\n";
  }
  for (VertexId v = topology.endpoints(); v < topology.endpoints() + topology.switches(); ++v) {
    const std::string offers = offers_text(topology.offers(v));
    const std::string label = offers.empty() ? "" : fmt::format(R"(, label="{}\n{}")", topology.vertex_name(v), offers);
    out << fmt::format("  \"{}\" [shape=box{}];\n", topology.vertex_name(v), label);
  }
}

}  // namespace

void write_dot(const Topology& topology, std::ostream& out) {
  if (topology.links() > kMostDrawnLinks) {
    throw InputError(
        fmt::format("--dot: {} has {} links; a drawing has at most {}", topology.spec(), topology.links(), kMostDrawnLinks));
  }
  const bool in_place = is_plain_grid(topology);
  out << fmt::format("graph \"{}\" {{\n", topology.spec());
  if (topology.switches() == 0) out << "  layout=neato;\n";
  out << "  ranksep=1.5;\n  node [shape=ellipse, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n";
  if (topology.switches() > 0) write_switches(topology, levels(topology), out);
  if (topology.switches() > 0) out << "  { rank=same;";
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    if (topology.switches() > 0) {
      out << fmt::format(R"( "{}";)", topology.vertex_name(endpoint));
    } else {
      const std::string at = in_place ? position(topology, endpoint) : std::string();
      out << fmt::format("  \"{}\"{};\n", topology.vertex_name(endpoint), at);
    }
  }
  if (topology.switches() > 0) out << " }\n";
  for (const CableBundle& bundle : cable_bundles(topology)) {
    const std::string label = bundle.cables > 1 ? fmt::format(R"(label="x{}", )", bundle.cables) : "";
    out << fmt::format("  \"{}\" -- \"{}\" [{}color=\"{}\"];\n", topology.vertex_name(bundle.upper),
                       topology.vertex_name(bundle.lower), label, color_of_tier(bundle.tier));
  }
  out << "}\n";
}

}  // namespace heddle
