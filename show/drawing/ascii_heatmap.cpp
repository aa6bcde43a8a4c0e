// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "heddle/units.hpp"
#include "show/document/document.hpp"
#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

namespace {

// Fabrics in digits: lines of at most 128 columns that end with a line feed; empty where a fabric has none. `rank` is the rank on
// each endpoint, -1: none.

constexpr int kColumns = 128;
constexpr int kIndent = 2;
constexpr std::size_t kDigits = 100;      // in a line of digits
constexpr int kMostRowsInFull = 16;       // of endpoints drawn with their links
constexpr int kMostRows = 64;             // of digits
constexpr std::size_t kMostOfLayer = 64;  // switches with lines of their own

/// '.' or '1' … '9'.
char load_digit(const LinkLoads& loads, double load) {
  const int step = loads.step(load, 9);
  return step == 0 ? '.' : static_cast<char>('0' + step);
}

std::string indented(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return std::string(line.empty() ? 0 : kIndent, ' ') + line + '\n';
}

// ---- grids ----

/// Loads of the links that leave an endpoint, by direction; -1: there is no such link.
struct Leaving {
  double left = -1, right = -1, up = -1, down = -1;
  double most() const { return std::max({left, right, up, down}); }
};

class AsciiGrid {
 public:
  AsciiGrid(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank)
      : loads_(loads),
        rank_(rank),
        line_(topology.grid()->dimensions() == 1),
        rows_(line_ ? 1 : topology.grid()->dims()[0]),
        columns_(topology.grid()->dims().back()),
        leaving_(rank.size()) {
    for (LinkId link = 0; link < topology.links(); ++link) note(topology.ends(link), loads.load(link));
    for (const int each : rank) width_ = std::max(width_, static_cast<int>(fmt::format("{}", each).size()));
  }

  std::string draw() const {
    const int per_line = (kColumns - kIndent) / cell_width();
    const bool fits = line_ ? columns_ <= per_line * kMostRowsInFull : columns_ <= per_line && rows_ <= kMostRowsInFull;
    if (!fits) return line_ ? strips() : blocks();
    std::string text;
    for (int row = 0; row < rows_; ++row)
      for (int first = 0; first < columns_; first += per_line) text += cells(row, first, std::min(columns_, first + per_line));
    return text + "  <9 0 9>: what endpoint 0, by its rank, sends to either side\n";
  }

 private:
  int cell_width() const { return width_ + 8; }

  void note(LinkEnds ends, double load) {
    Leaving& from = leaving_[static_cast<std::size_t>(ends.from)];
    const int row = ends.from / columns_;
    const int to_row = ends.to / columns_;
    if (row != to_row)
      (step_along(row, to_row) > 0 ? from.down : from.up) = load;
    else
      (step_along(ends.from % columns_, ends.to % columns_) > 0 ? from.right : from.left) = load;
  }

  std::string sided(const char* form, double load) const {
    return load < 0 ? "  " : fmt::format(fmt::runtime(form), load_digit(loads_, load));
  }

  std::string cells(int row, int first, int last) const {
    std::string above;
    std::string names;
    std::string below;
    for (int column = first; column < last; ++column) {
      const auto at = static_cast<std::size_t>(row * columns_ + column);
      const Leaving& out = leaving_[at];
      const std::string name = rank_[at] < 0 ? "-" : fmt::format("{}", rank_[at]);
      names += fmt::format("{} {:^{}} {}  ", sided("<{}", out.left), name, width_, sided("{}>", out.right));
      above += fmt::format("{: ^{}}  ", sided("^{}", out.up), cell_width() - 2);
      below += fmt::format("{: ^{}}  ", sided("v{}", out.down), cell_width() - 2);
    }
    if (line_) return indented(names);
    return (rows_ > 1 ? indented(above) : "") + indented(names) + (rows_ > 1 ? indented(below) : "") +
           (row + 1 < rows_ ? "\n" : "");
  }

  /// A long ring or line: what leaves each endpoint upwards, below it what leaves downwards.
  std::string strips() const {
    std::string text;
    const int digits = static_cast<int>(kDigits);
    const int each = (columns_ + digits * kMostRowsInFull - 1) / (digits * kMostRowsInFull);  // endpoints by digit
    for (int first = 0; first < columns_; first += digits * each) {
      std::string right;
      std::string left;
      for (int begin = first; begin < std::min(columns_, first + digits * each); begin += each) {
        double most_right = 0;
        double most_left = 0;
        for (int i = begin; i < std::min(columns_, begin + each); ++i) {
          most_right = std::max(most_right, leaving_[static_cast<std::size_t>(i)].right);
          most_left = std::max(most_left, leaving_[static_cast<std::size_t>(i)].left);
        }
        right += load_digit(loads_, most_right);
        left += load_digit(loads_, most_left);
      }
      text += indented(fmt::format("{:>7} >  {}", first, right)) + indented(fmt::format("{:>7} <  {}", "", left));
    }
    const std::string what = each == 1 ? "each endpoint" : fmt::format("every {} endpoints (the most of them)", each);
    return text + fmt::format("  a digit for {} in order; above what goes upwards (>), below downwards (<)\n", what);
  }

  /// The most loaded link that leaves each endpoint, or each block of endpoints.
  std::string blocks() const {
    const int side = std::max((rows_ + kMostRows - 1) / kMostRows, (columns_ + 99) / 100);
    std::string text;
    for (int row = 0; row < rows_; row += side) {
      std::string digits;
      for (int column = 0; column < columns_; column += side) {
        double most = 0;
        for (int r = row; r < std::min(rows_, row + side); ++r)
          for (int c = column; c < std::min(columns_, column + side); ++c)
            most = std::max(most, leaving_[static_cast<std::size_t>(r * columns_ + c)].most());
        digits += load_digit(loads_, most);
      }
      text += indented(fmt::format("{:>7}  {}", row, digits));
    }
    const std::string what = side == 1 ? "each endpoint" : fmt::format("each block of {} x {} endpoints", side, side);
    return text + fmt::format("  rows and columns of the grid; a digit for the most loaded link that leaves {}\n", what);
  }

  const LinkLoads& loads_;
  const std::vector<int>& rank_;
  bool line_;
  int rows_;
  int columns_;
  std::vector<Leaving> leaving_;  ///< by endpoint
  int width_ = 1;                 ///< of a rank
};

// ---- switches ----

/// What a switch exchanges with those below it.
struct Below {
  std::map<VertexId, std::pair<double, double>> loads;  ///< by vertex: the most loaded cable up, and down
};

std::string digits_of(const LinkLoads& loads, const Below& below, bool up) {
  std::string digits;
  for (const auto& [vertex, pair] : below.loads) digits += load_digit(loads, up ? pair.first : pair.second);
  return digits;
}

/// "leaf3   up 9999  down 99..", or lines below each other where that is too wide.
std::string lines_of(const std::string& name, std::size_t width, const std::string& up, const std::string& down) {
  if (width + up.size() + down.size() + 14 <= static_cast<std::size_t>(kColumns - kIndent))
    return indented(fmt::format("{:<{}}  up {}  down {}", name, width, up, down));
  std::string text;
  const std::size_t room = std::min(kDigits, static_cast<std::size_t>(kColumns - kIndent) - width - 9);
  for (const auto& [title, digits] : {std::pair<std::string, std::string>{"up", up}, {"down", down}})
    for (std::size_t at = 0; at < digits.size(); at += room) {
      const bool first = title == "up" && at == 0;
      text +=
          indented(fmt::format("{:<{}}  {:<5} {}", first ? name : "", width, at == 0 ? title : "", digits.substr(at, room)));
    }
  return text;
}

/// One digit for each switch of a layer: the most loaded of its cables from below and to below.
std::string strip_of(const LinkLoads& loads, const std::string& name, const std::map<VertexId, Below>& layer) {
  std::string up;
  std::string down;
  for (const auto& [vertex, below] : layer) {
    std::pair<double, double> most = {0, 0};
    for (const auto& [lower, pair] : below.loads) most = {std::max(most.first, pair.first), std::max(most.second, pair.second)};
    up += load_digit(loads, most.first);
    down += load_digit(loads, most.second);
  }
  return lines_of(name, name.size(), up, down);
}

/// A plain grid of one or two dimensions: each endpoint with the loads of the links that leave it; larger ones a digit for each
/// endpoint or block of endpoints.
std::string ascii_grid(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank) {
  return AsciiGrid(loads, topology, rank).draw();
}

/// Switches in layers: a line or two for each switch, a digit for each of those below it.
std::string ascii_layers(const LinkLoads& loads, const Topology& topology, const std::vector<int>&) {
  const std::vector<int> level = levels(topology);
  if (!is_layered(topology, level)) return "";
  std::map<int, std::map<VertexId, Below>, std::greater<>> layers;
  std::size_t width = 0;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const bool up = level[static_cast<std::size_t>(ends.to)] > level[static_cast<std::size_t>(ends.from)];
    const VertexId upper = up ? ends.to : ends.from;
    auto& pair = layers[level[static_cast<std::size_t>(upper)]][upper].loads[up ? ends.from : ends.to];
    double& most = up ? pair.first : pair.second;
    most = std::max(most, loads.load(link));
    width = std::max(width, topology.vertex_name(upper).size());
  }
  std::string text;
  bool strips = false;
  for (const auto& [height, layer] : layers) {
    if (layer.size() > kMostOfLayer) {
      const auto [first, last] = std::pair(layer.begin()->first, layer.rbegin()->first);
      text += strip_of(loads, fmt::format("{} to {}", topology.vertex_name(first), topology.vertex_name(last)), layer);
      strips = true;
      continue;
    }
    for (const auto& [vertex, below] : layer)
      text += lines_of(topology.vertex_name(vertex), width, digits_of(loads, below, true), digits_of(loads, below, false));
  }
  text += "  a digit for each of those below a switch, in order: up what it gets from them, down what it sends them\n";
  if (strips) text += "  of switches in a row ('to'): a digit for each switch, the most loaded of its cables to those below\n";
  return text;
}

/// Endpoints joined by links of their own: a row for each sender, a column for each receiver.
std::string ascii_matrix(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank) {
  const int n = topology.endpoints();
  if (n > kMostRows) return "";
  std::vector<std::string> rows(static_cast<std::size_t>(n), std::string(static_cast<std::size_t>(n), ' '));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    rows[static_cast<std::size_t>(ends.from)][static_cast<std::size_t>(ends.to)] = load_digit(loads, loads.load(link));
  }
  std::string text;
  for (int e = 0; e < n; ++e) {
    const int on_it = rank[static_cast<std::size_t>(e)];
    text += indented(fmt::format("{:>7}  {}", on_it < 0 ? "-" : fmt::format("{}", on_it), rows[static_cast<std::size_t>(e)]));
  }
  return text + "  a row for each sender, by its rank; a column for each receiver, in the same order\n";
}

constexpr std::size_t kNamedInLetters = 8;  // most loaded links

/// Loads by direction, as a table; the last column adds them up, of utilisations the bytes.
std::string class_table(const LinkLoads& loads, const Topology& topology) {
  const bool adds_up = loads.of() != HeatmapOf::utilisation;
  Document document{.columns = {for_people({"direction", "", Table::Align::left})}};
  for (const auto& [title, width] : {std::pair<const char*, std::size_t>{"links", 6},
                                     {loads.of() == HeatmapOf::contention ? "shared" : "carrying", 8},
                                     {"least", 10},
                                     {"mean", 10},
                                     {"most", 10},
                                     {adds_up ? "together" : "bytes", 10}})
    document.columns.push_back({{}, {title, "", Table::Align::right, width}, false});
  for (const LinkClass& each : link_classes(topology)) {
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
    document.rows.push_back({each.name, std::ssize(each.links), loaded, loads.text(least),
                             loads.text(total / static_cast<double>(each.links.size())), loads.text(loads.most_of(each.links)),
                             adds_up ? loads.text(total) : to_string(Bytes(std::llround(bytes)))});
  }
  document.margins = {.titles = "  ", .rows = "  "};
  return table_text(document);
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
    text +=
        fmt::format("  digit d: at most d/9 of {} {}; '.': nothing\n\n", loads.text(loads.scale()), words_of(loads.of()).digit);
  return text + class_table(loads, topology) + '\n' + busiest_lines(loads, fabric) + fault_lines(loads, topology);
}

}  // namespace heddle::pictures
