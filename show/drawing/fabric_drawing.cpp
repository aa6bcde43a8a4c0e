// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/fabric_drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include "heddle/errors.hpp"
#include "show/drawing/drawing.hpp"

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

namespace {

constexpr std::size_t kMostColumns = 120;
constexpr int kMostRows = 32;
constexpr int kMostVertices = 512;  // a picture of more would be wider anyway

std::string indented(const std::string& line) { return "  " + line + "\n"; }

// Grids. A line that leaves the picture comes back on the other side.
//
//     |       |       |
//  -(0,0)---(0,1)---(0,2)-
//     |       |       |
//  -(1,0)---(1,1)---(1,2)-
//     |       |       |

class GridPicture {
 public:
  GridPicture(const Topology& topology, const Grid& grid)
      : topology_(topology),
        rows_(grid.dimensions() == 1 ? 1 : grid.dims()[0]),
        columns_(grid.dims().back()),
        around_rows_(grid.wraps() && rows_ > 2),
        around_columns_(grid.wraps() && columns_ > 2) {
    for (VertexId v = 0; v < topology.endpoints(); ++v) name_width_ = std::max(name_width_, topology.vertex_name(v).size());
  }

  std::optional<std::string> draw() const {
    if (row_of_names(0).size() > kMostColumns || rows_ > kMostRows) return std::nullopt;
    std::string picture;
    if (around_rows_) picture += indented(row_of_bars());
    for (int row = 0; row < rows_; ++row) {
      picture += indented(row_of_names(row));
      if (row + 1 < rows_ || around_rows_) picture += indented(row_of_bars());
    }
    if (around_rows_ || around_columns_) picture += indented("lines that leave the picture come back on the other side");
    return picture;
  }

 private:
  std::string row_of_names(int row) const {
    std::string line = around_columns_ ? "-" : "";
    for (int column = 0; column < columns_; ++column)
      line += fmt::format("{}{:-^{}}", column > 0 ? "---" : "", topology_.vertex_name(row * columns_ + column), name_width_);
    return line + (around_columns_ ? "-" : "");
  }

  std::string row_of_bars() const {
    std::string line = around_columns_ ? " " : "";
    for (int column = 0; column < columns_; ++column)
      line += fmt::format("{}{: ^{}}", column > 0 ? "   " : "", "|", name_width_);
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

  const Topology& topology_;
  int rows_;
  int columns_;
  bool around_rows_;
  bool around_columns_;
  std::size_t name_width_ = 0;
};

// Layers of switches, the highest on top.
//
//       +----+ +----+
//       | s4 | | s5 |      spine
//       +----+ +----+
//        2 cables down, x18 each; 2 up

/// "4", "2-4"
std::string span_text(const std::vector<int>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  return *least == *most ? fmt::format("{}", *least) : fmt::format("{}-{}", *least, *most);
}

class LayerPicture {
 public:
  explicit LayerPicture(const Topology& topology) : topology_(topology), bundles_(cable_bundles(topology)) {
    const std::vector<int> level = levels(topology);
    for (VertexId v = 0; v < topology.endpoints() + topology.switches(); ++v) {
      if (level[static_cast<std::size_t>(v)] < 0) layered_ = false;
      layers_[level[static_cast<std::size_t>(v)]].push_back(v);
    }
    for (const CableBundle& bundle : bundles_)
      layered_ &= level[static_cast<std::size_t>(bundle.upper)] == level[static_cast<std::size_t>(bundle.lower)] + 1;
  }

  std::optional<std::string> draw() const {
    if (!layered_) return std::nullopt;
    std::vector<std::vector<std::string>> rows;
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
      if (layer->first == 0) continue;
      rows.push_back(row_of_boxes(layer->second, layer->first == 1));
      rows.push_back({"", cables_below(layer->second), ""});
    }
    std::size_t width = 0;
    for (const auto& row : rows)
      for (const std::string& line : row) width = std::max(width, line.size());
    if (width > kMostColumns) return std::nullopt;
    std::string picture;
    for (const auto& row : rows) picture += centred(row, width);
    return picture;
  }

 private:
  static std::string centred(const std::vector<std::string>& lines, std::size_t width) {
    std::string text;
    for (const std::string& line : lines)
      if (!line.empty()) text += indented(std::string((width - line.size()) / 2, ' ') + line);
    return text;
  }

  /// Of the lowest layer: which endpoints are below each, in the box.
  std::vector<std::string> row_of_boxes(const std::vector<VertexId>& layer, bool lowest) const {
    std::string edge;
    std::string names;
    std::string below;
    for (const VertexId v : layer) {
      const std::string name = topology_.vertex_name(v);
      const std::string held = lowest ? ranges_text(below_of(v), topology_) : "";
      const std::size_t width = std::max(name.size(), held.size());
      edge += fmt::format("{}+{}+", edge.empty() ? "" : " ", std::string(width + 2, '-'));
      names += fmt::format("{}| {:^{}} |", names.empty() ? "" : " ", name, width);
      below += fmt::format("{}| {:^{}} |", below.empty() ? "" : " ", held, width);
    }
    return lowest ? std::vector{edge, names, below, edge} : std::vector{edge, names, edge};
  }

  std::vector<VertexId> below_of(VertexId upper) const {
    std::vector<VertexId> below;
    for (const CableBundle& bundle : bundles_)
      if (bundle.upper == upper) below.push_back(bundle.lower);
    std::sort(below.begin(), below.end());
    return below;
  }

  /// "leaf to spine: each above to 4 below, each below to 2 above, x18"
  std::string cables_below(const std::vector<VertexId>& layer) const {
    const std::set<VertexId> uppers(layer.begin(), layer.end());
    std::map<VertexId, int> down;
    std::map<VertexId, int> up;
    std::vector<int> parallel;
    for (const CableBundle& bundle : bundles_) {
      if (!uppers.contains(bundle.upper)) continue;
      ++down[bundle.upper];
      ++up[bundle.lower];
      parallel.push_back(bundle.cables);
    }
    if (parallel.empty()) return {};
    const auto counts = [](const std::map<VertexId, int>& of) {
      std::vector<int> numbers;
      for (const auto& [vertex, count] : of) numbers.push_back(count);
      return span_text(numbers);
    };
    const std::string times = span_text(parallel);
    return fmt::format("each to {} below, each below to {} above{}", counts(down), counts(up),
                       times == "1" ? "" : ", " + times + " cables a pair");
  }

  const Topology& topology_;
  std::vector<CableBundle> bundles_;
  std::map<int, std::vector<VertexId>> layers_;
  bool layered_ = true;
};

}  // namespace

std::optional<std::string> draw_fabric(const Topology& topology) {
  if (topology.endpoints() > kMostVertices || topology.switches() > kMostVertices) return std::nullopt;
  if (topology.switches() > 0) return LayerPicture(topology).draw();
  const Grid* grid = topology.grid();
  if (grid == nullptr || grid->dimensions() > 2 || !is_plain_grid(topology)) return std::nullopt;
  return GridPicture(topology, *grid).draw();
}

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
