// SPDX-License-Identifier: Apache-2.0
#include "show/fabric/fabric_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "show/fabric/cable_bundles.hpp"
#include "show/text/switch_offers_text.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostColumns = 120;
constexpr int kMostRows = 32;
constexpr int kMostVertices = 512;  // a picture of more would be wider anyway

std::string indented(const std::string& line) { return "  " + line + "\n"; }

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

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
      edge += fmt::format("{}+{}+", edge.empty() ? "" : " ", repeated("-", width + 2));
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

}  // namespace heddle
