// SPDX-License-Identifier: Apache-2.0
#include "lab/run/testbed.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

namespace {

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

}  // namespace heddle
