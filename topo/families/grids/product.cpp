// SPDX-License-Identifier: Apache-2.0
// Products of rings, lines, stars and full meshes: "ring:4*star:8" has an endpoint at each place of a grid of 4 x 8. Its rows are
// stars, its columns rings. An endpoint has cables in each dimension, and passes on what changes from one to another.
//
//   ring:2*star:3     (0,0)   (0,1)   (0,2)      (r,c)─ a cable to the row's switch, d1.0 or d1.1
//                       │ ╲     │     ╱ │
//                       │    ─ d1.0 ─   │        a column is a ring of two: one cable
//                     (1,0)   (1,1)   (1,2)
//                         ╲     │     ╱
//                            ─ d1.1 ─
//
// A route goes along the first dimension, then the second, and so on. Half-way round an even ring both ways tie.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

enum class LineKind : std::uint8_t { ring, mesh, star, full_mesh };

constexpr std::array<std::pair<std::string_view, LineKind>, 4> kKinds = {
    {{"ring", LineKind::ring}, {"mesh", LineKind::mesh}, {"star", LineKind::star}, {"fullmesh", LineKind::full_mesh}}};

struct Factor {
  LineKind kind;
  std::int32_t size;

  std::string_view name() const { return kKinds[static_cast<std::size_t>(kind)].first; }
  std::string text() const { return fmt::format("{}:{}", name(), size); }
  bool has_switch() const { return kind == LineKind::star && size > 1; }
  double cables() const {
    const double n = size;
    if (size == 1) return 0;
    if (kind == LineKind::full_mesh) return n * (n - 1) / 2;
    return kind == LineKind::mesh || (kind == LineKind::ring && size == 2) ? n - 1 : n;
  }
  int diameter() const {
    if (size == 1) return 0;
    if (kind == LineKind::ring) return size / 2;
    return kind == LineKind::mesh ? size - 1 : kind == LineKind::star ? 2 : 1;
  }
  /// Cables of a line that are cut in its middle, or just beside the middle of an odd one.
  std::int64_t cut() const {
    if (size == 1) return 0;
    if (kind == LineKind::ring) return size == 2 ? 1 : 2;
    const std::int64_t n = size;
    return kind == LineKind::mesh ? 1 : kind == LineKind::star ? n / 2 : n * n / 4;
  }
};

std::string product_text(const std::vector<Factor>& factors) {
  std::string text;
  for (const Factor& factor : factors) text += (text.empty() ? "" : "*") + factor.text();
  return text;
}

std::vector<int> sizes_of(const std::vector<Factor>& factors) {
  std::vector<int> sizes;
  for (const Factor& factor : factors) sizes.push_back(factor.size);
  return sizes;
}

int product_endpoints(const std::vector<Factor>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1, [](int all, const Factor& factor) { return all * factor.size; });
}

int product_switches(const std::vector<Factor>& factors) {
  int switches = 0;
  for (const Factor& factor : factors) switches += factor.has_switch() ? product_endpoints(factors) / factor.size : 0;
  return switches;
}

bool product_wraps(const std::vector<Factor>& factors) {
  return std::ranges::none_of(factors, [](const Factor& f) { return f.kind == LineKind::mesh && f.size > 2; });
}

class Product final : public StoredLinks {
 public:
  /// read_factors has made sure that they fit.
  explicit Product(std::vector<Factor> factors)
      : StoredLinks(product_endpoints(factors), product_switches(factors)),
        factors_(std::move(factors)),
        grid_(sizes_of(factors_), product_wraps(factors_)) {
    std::int32_t stride = endpoints();
    VertexId a_switch = endpoints();
    for (const Factor& factor : factors_) {
      stride /= factor.size;
      axes_.push_back({factor, stride, links(), a_switch});
      for (std::int32_t line = 0; line < endpoints() / factor.size; ++line) add_line(axes_.back(), line);
      if (factor.has_switch()) a_switch += endpoints() / factor.size;
    }
  }

  std::string shape() const override { return product_text(factors_); }
  bool is_direct() const override { return true; }
  /// Dimensions one after the other. Along a ring as on a torus; up to the switch of a star and down.
  LinkOrder order(LinkId link) const override {
    const int dimension = tier(link);
    const Axis& axis = axes_[static_cast<std::size_t>(dimension)];
    const VertexId tail = ends(link).from;
    const bool first_way = link % 2 == 0;
    switch (axis.factor.kind) {
      case LineKind::ring:
      case LineKind::mesh: {
        const std::int32_t at = axis.coordinate(tail);
        return {dimension, first_way ? at : axis.factor.size - 1 - at};
      }
      case LineKind::star:
        return {dimension, first_way ? 0 : 1};
      case LineKind::full_mesh:
        break;
    }
    return {dimension, 0};
  }
  int channels(Routing) const override {
    return std::ranges::any_of(factors_, [](const Factor& f) { return f.kind == LineKind::ring && f.size > 3; }) ? 2 : 1;
  }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    int ties = 0;
    for (const Axis& axis : axes_) ties += axis.ties(from, to) ? 1 : 0;
    const std::int32_t ways = std::int32_t{1} << ties;
    const std::int32_t first = routing.splits() ? 0 : routing.choice(from, to, 0, ways);
    const std::int32_t taken = routing.splits() ? ways : 1;
    for (std::int32_t way = first; way < first + taken; ++way) {
      VertexId vertex = from;
      std::int32_t turns = way;
      for (const Axis& axis : axes_) {
        const bool turned = axis.ties(from, to) && (turns & 1) != 0;
        if (axis.ties(from, to)) turns >>= 1;
        walk(axis, vertex, axis.coordinate(to), turned, route);
      }
      route.close_path(1.0 / taken);
    }
  }
  /// The last dimension, the last two, and so on.
  int group_tiers() const override { return static_cast<int>(axes_.size()); }
  int group(VertexId endpoint, int tier) const override {
    const Axis& axis = axes_[axes_.size() - 1 - static_cast<std::size_t>(tier)];
    return endpoint / (axis.stride * axis.factor.size);
  }
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.bisection = bisection();
    facts.tiers.clear();
    for (const Axis& axis : axes_) {
      const int lines = endpoints() / axis.factor.size;
      facts.diameter += axis.factor.diameter();
      facts.tiers.push_back({.name = fmt::format("dimension {}, {}", facts.tiers.size(), axis.factor.name()),
                             .switches = axis.factor.has_switch() ? lines : 0,
                             .cables = lines * static_cast<int>(axis.factor.cables())});
    }
    return facts;
  }
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; "d1.3" for the switch of line 3 of dimension 1.
  std::string vertex_name(VertexId vertex) const override {
    if (vertex < endpoints()) return fmt::format("({})", fmt::join(grid_.coordinates(Rank(vertex)), ","));
    std::size_t dimension = axes_.size() - 1;
    while (!axes_[dimension].factor.has_switch() || axes_[dimension].first_switch > vertex) --dimension;
    return fmt::format("d{}.{}", dimension, vertex - axes_[dimension].first_switch);
  }

 private:
  struct Axis {
    Factor factor;
    std::int32_t stride;    ///< from one coordinate to the next, in vertices
    LinkId first_link;      ///< line by line
    VertexId first_switch;  ///< of line 0

    std::int32_t coordinate(VertexId vertex) const { return vertex / stride % factor.size; }
    std::int32_t line(VertexId vertex) const { return vertex / (stride * factor.size) * stride + vertex % stride; }
    VertexId first_of(std::int32_t line) const { return line / stride * stride * factor.size + line % stride; }
    /// Half-way round a ring.
    bool ties(VertexId from, VertexId to) const {
      return factor.kind == LineKind::ring && factor.size > 2 && 2 * std::abs(coordinate(from) - coordinate(to)) == factor.size;
    }
    /// The first link of cable `cable` of a line.
    LinkId link(std::int32_t line, std::int32_t cable) const {
      return first_link + 2 * (line * static_cast<std::int32_t>(factor.cables()) + cable);
    }
  };

  void add_line(const Axis& axis, std::int32_t line) {
    const VertexId first = axis.first_of(line);
    const std::int32_t n = axis.factor.size;
    const auto dimension = static_cast<int>(axes_.size()) - 1;
    const auto at = [&](std::int32_t i) { return first + i * axis.stride; };
    if (n == 1) return;
    switch (axis.factor.kind) {
      case LineKind::ring:
      case LineKind::mesh:
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(axis.factor.cables()); ++i)
          add_cable(at(i), at((i + 1) % n), dimension);
        break;
      case LineKind::star:
        for (std::int32_t i = 0; i < n; ++i) add_cable(at(i), axis.first_switch + line, dimension);
        break;
      case LineKind::full_mesh:
        for (std::int32_t low = 0; low < n; ++low)
          for (std::int32_t high = low + 1; high < n; ++high) add_cable(at(low), at(high), dimension);
        break;
    }
  }

  /// Along one dimension; `turned`: the other way round.
  void walk(const Axis& axis, VertexId& vertex, std::int32_t end, bool turned, Route& route) const {
    const std::int32_t start = axis.coordinate(vertex);
    if (start == end) return;
    const std::int32_t n = axis.factor.size;
    const std::int32_t line = axis.line(vertex);
    vertex += (end - start) * axis.stride;
    if (axis.factor.kind == LineKind::star) {
      route.add_link(axis.link(line, start));
      route.add_link(axis.link(line, end) + 1);
    } else if (axis.factor.kind == LineKind::full_mesh) {
      const auto [low, high] = std::minmax(start, end);
      route.add_link(axis.link(line, pair_number(low, high, n)) + (start < end ? 0 : 1));
    } else {
      const std::int32_t up = (end - start + n) % n;
      const bool round = axis.factor.kind == LineKind::ring && n > 2;
      const bool upwards = round ? (2 * up <= n) != turned : end > start;
      const std::int32_t steps = upwards ? (round ? up : end - start) : (round ? n - up : start - end);
      std::int32_t here = start;
      for (std::int32_t i = 0; i < steps; ++i) {
        const std::int32_t next = (here + (upwards ? 1 : n - 1)) % n;
        route.add_link(axis.link(line, upwards ? here : next) + (upwards ? 0 : 1));
        here = next;
      }
    }
  }

  /// Across the dimension that it crosses with the fewest cables; the middle of an odd one is halved in turn, as on a torus.
  int bisection() const {
    std::vector<Factor> narrowest_first = factors_;
    std::ranges::stable_sort(narrowest_first, {}, [](const Factor& factor) {
      return std::pair(static_cast<double>(factor.cut()) / factor.size, factor.size % 2);
    });
    std::int64_t cut = 0;
    std::int64_t slice = endpoints();
    for (const Factor& factor : narrowest_first) {
      if (factor.size == 1) continue;
      slice /= factor.size;
      cut += factor.cut() * slice;
      if (factor.size % 2 == 0) break;
    }
    return static_cast<int>(cut);
  }

  std::vector<Factor> factors_;
  Grid grid_;
  std::vector<Axis> axes_;
};

Factor read_factor(SpecFields& fields, std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto* const kind = std::ranges::find(kKinds, text.substr(0, colon), &std::pair<std::string_view, LineKind>::first);
  if (kind == kKinds.end() || colon == std::string_view::npos)
    fields.refuse(fmt::format("'{}' is no ring:N, mesh:N, star:N or fullmesh:N, of which products are", text));
  const std::vector<std::int64_t> sizes = fields.sizes(text.substr(colon + 1));
  if (sizes.size() != 1)
    fields.refuse(fmt::format("'{}' has several sizes; each dimension is a factor of its own, as in {}:4*{}:8", text,
                              kind->first, kind->first));
  return {kind->second, static_cast<std::int32_t>(std::min(sizes.front(), kMaxEndpoints + 1))};
}

}  // namespace

std::unique_ptr<Topology> build_product(SpecFields& fields) {
  std::vector<Factor> factors;
  for (std::string_view rest = fields.bare();;) {
    const std::size_t star = rest.find('*');
    factors.push_back(read_factor(fields, rest.substr(0, star)));
    if (star == std::string_view::npos) break;
    rest.remove_prefix(star + 1);
  }
  constexpr std::size_t kMostFactors = 16;
  if (factors.size() > kMostFactors) fields.refuse(fmt::format("more than {} factors", kMostFactors));
  double endpoints = 1;
  double cables = 0;
  for (const Factor& factor : factors) endpoints *= factor.size;
  for (const Factor& factor : factors) cables += endpoints / factor.size * factor.cables();
  require_storable(std::string(fields.whole()), endpoints, 2 * cables);
  return std::make_unique<Product>(std::move(factors));
}

}  // namespace heddle
