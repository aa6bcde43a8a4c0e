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
#include "show/text/table.hpp"

namespace heddle::pictures {

namespace {

constexpr std::size_t kNamedInLetters = 8;  // most loaded links

std::string letters_of_bytes(std::int64_t bytes) { return to_string(Bytes(bytes)); }

/// Loads by direction, as a table.
std::string class_table(const LinkLoads& loads, const Topology& topology) {
  const std::vector<LinkClass> classes = link_classes(topology);
  Table table({{"direction", "", Table::Align::left, 0},
               {"links", "", Table::Align::right, 6},
               {"carrying", "", Table::Align::right, 8},
               {"least", "", Table::Align::right, 10},
               {"mean", "", Table::Align::right, 10},
               {"most", "", Table::Align::right, 10},
               {"together", "", Table::Align::right, 10}});
  for (const LinkClass& each : classes) table.fit(0, each.name);
  std::string text = "  " + table.titles() + '\n';
  for (const LinkClass& each : classes) {
    std::int64_t least = loads.bytes(each.links.front());
    std::int64_t most = 0;
    std::int64_t total = 0;
    std::int64_t carrying = 0;
    for (const LinkId link : each.links) {
      least = std::min(least, loads.bytes(link));
      most = std::max(most, loads.bytes(link));
      total += loads.bytes(link);
      carrying += loads.bytes(link) > 0 ? 1 : 0;
    }
    const auto mean = std::llround(static_cast<double>(total) / static_cast<double>(each.links.size()));
    const std::vector<std::string> cells = {each.name,
                                            fmt::format("{}", each.links.size()),
                                            fmt::format("{}", carrying),
                                            letters_of_bytes(least),
                                            letters_of_bytes(mean),
                                            letters_of_bytes(most),
                                            letters_of_bytes(total)};
    text += "  " + table.row(cells) + '\n';
  }
  return text;
}

std::string busiest_lines(const LinkLoads& loads, const Topology& topology) {
  const std::vector<NamedLoad> busiest = loads.busiest(kNamedInLetters, topology);
  std::size_t width = 0;
  for (const NamedLoad& link : busiest) width = std::max(width, link.name.size());
  std::string text;
  for (const NamedLoad& link : busiest)
    text += fmt::format("  {:<13} {:<{}} {:>14} B\n", text.empty() ? "most loaded" : "", link.name, width, link.bytes);
  return text;
}

std::string drawing_of(const LinkLoads& loads, const Topology& topology, const Placement& placement) {
  const std::vector<int> rank = ranks_of_endpoints(placement, topology);
  if (topology.switches() > 0) return ascii_layers(loads, topology, rank);
  if (!is_plain_grid(topology)) return ascii_matrix(loads, topology, rank);
  return topology.grid()->dimensions() <= 2 ? ascii_grid(loads, topology, rank) : "";
}

}  // namespace

std::string ascii_heatmap(const LinkLoads& loads, const Topology& topology, const Placement& placement) {
  if (loads.most() == 0) return "  no link carried a byte\n";
  const std::string drawing = drawing_of(loads, topology, placement);
  std::string text = drawing;
  if (!drawing.empty())
    text += fmt::format("  digit d: at most d/9 of {} over a link, one way; '.': nothing\n\n", letters_of_bytes(loads.most()));
  return text + class_table(loads, topology) + '\n' + busiest_lines(loads, topology);
}

}  // namespace heddle::pictures
