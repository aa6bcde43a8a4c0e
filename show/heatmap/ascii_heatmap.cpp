// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/ascii_heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/units.hpp"
#include "show/drawing/link_classes.hpp"
#include "show/fabric/cable_bundles.hpp"
#include "show/heatmap/ascii_drawings.hpp"
#include "show/heatmap/busiest_links.hpp"
#include "show/text/table.hpp"

namespace heddle::pictures {

namespace {

constexpr std::size_t kNamedInLetters = 8;  // most loaded links

/// What a digit stands for, behind "at most d/9 of 57KiB".
std::string_view meaning_of(HeatmapOf of) {
  switch (of) {
    case HeatmapOf::bytes:
      return "over a link, one way";
    case HeatmapOf::utilisation:
      return "of a link's capacity used, one way";
    case HeatmapOf::contention:
      break;
  }
  return "lost by messages that shared a link, one way";
}

/// Loads by direction, as a table; the last column adds them up, of utilisations the bytes.
std::string class_table(const LinkLoads& loads, const Topology& topology) {
  const bool adds_up = loads.of() != HeatmapOf::utilisation;
  const std::vector<LinkClass> classes = link_classes(topology);
  Table table({{"direction", "", Table::Align::left, 0},
               {"links", "", Table::Align::right, 6},
               {loads.of() == HeatmapOf::contention ? "shared" : "carrying", "", Table::Align::right, 8},
               {"least", "", Table::Align::right, 10},
               {"mean", "", Table::Align::right, 10},
               {"most", "", Table::Align::right, 10},
               {adds_up ? "together" : "bytes", "", Table::Align::right, 10}});
  for (const LinkClass& each : classes) table.fit(0, each.name);
  std::string text = "  " + table.titles() + '\n';
  for (const LinkClass& each : classes) {
    double least = loads.load(each.links.front());
    double total = 0;
    double bytes = 0;
    std::int64_t loaded = 0;
    for (const LinkId link : each.links) {
      least = std::min(least, loads.load(link));
      total += loads.load(link);
      bytes += static_cast<double>(loads.bytes(link));
      loaded += loads.load(link) > 0 ? 1 : 0;
    }
    const std::vector<std::string> cells = {each.name,
                                            fmt::format("{}", each.links.size()),
                                            fmt::format("{}", loaded),
                                            loads.text(least),
                                            loads.text(total / static_cast<double>(each.links.size())),
                                            loads.text(loads.most_of(each.links)),
                                            adds_up ? loads.text(total) : to_string(Bytes(std::llround(bytes)))};
    text += "  " + table.row(cells) + '\n';
  }
  return text;
}

std::string busiest_lines(const LinkLoads& loads, const Fabric& fabric) {
  const std::vector<BusyLink> busiest = busiest_links(loads, fabric, kNamedInLetters);
  std::size_t width = 0;
  std::size_t tier = 0;
  for (const BusyLink& link : busiest) {
    width = std::max(width, link.name.size());
    tier = std::max(tier, link.tier.size());
  }
  std::string text;
  for (const BusyLink& link : busiest)
    text += fmt::format("  {:<13} {:<{}} {:>16}  {:<{}}  {}\n", text.empty() ? "most loaded" : "", link.name, width, link.load,
                        link.tier, tier, to_string(link.bandwidth));
  return text;
}

std::string fault_lines(const LinkLoads& loads, const Topology& topology) {
  std::string text;
  for (const std::string& link : faulty_links(loads, topology, kNamedInLetters))
    text += fmt::format("  {:<13} {}\n", text.empty() ? "at fault" : "", link);
  return text;
}

std::string drawing_of(const LinkLoads& loads, const Topology& topology, const Placement& placement) {
  const std::vector<int> rank = ranks_of_endpoints(placement, topology);
  if (topology.switches() > 0) return ascii_layers(loads, topology, rank);
  if (!is_plain_grid(topology)) return ascii_matrix(loads, topology, rank);
  return topology.grid()->dimensions() <= 2 ? ascii_grid(loads, topology, rank) : "";
}

}  // namespace

std::string ascii_heatmap(const LinkLoads& loads, const Fabric& fabric, const Placement& placement) {
  const Topology& topology = fabric.topology();
  if (loads.most() == 0) return fmt::format("  {}\n{}", loads.why_none(), fault_lines(loads, topology));
  const std::string drawing = drawing_of(loads, topology, placement);
  std::string text = drawing;
  if (!drawing.empty())
    text += fmt::format("  digit d: at most d/9 of {} {}; '.': nothing\n\n", loads.text(loads.scale()), meaning_of(loads.of()));
  return text + class_table(loads, topology) + '\n' + busiest_lines(loads, fabric) + fault_lines(loads, topology);
}

}  // namespace heddle::pictures
