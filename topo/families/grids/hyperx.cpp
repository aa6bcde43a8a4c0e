// SPDX-License-Identifier: Apache-2.0
// HyperX (Ahn, Binkert, Davis, McLaren, Schreiber: HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks,
// SC 2009): endpoints on a grid, every line of every dimension a full mesh. One endpoint at each router, so the network is
// direct.
//
//      (0,0)───(0,1)───(0,2)        a row, and ─── also from (0,0) to (0,2); columns alike
//        │╲______│_______╱│
//
// A route changes each coordinate that differs, in one link; the orders in which it does so tie. Routing::deterministic() takes
// the first dimension first. Routing::split() spreads over all orders of up to kAllOrders coordinates; of more, over as many
// orders as there are coordinates, each beginning with another and going on from there, around.
//
// Endpoints are numbered row-major: the last dimension varies fastest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

std::string spec_of(const auto& sizes) { return fmt::format("hyperx:{}", fmt::join(sizes, "x")); }

std::vector<int> checked_dims(const std::vector<std::int64_t>& sizes) {
  double endpoints = 1;
  for (std::int64_t size : sizes) endpoints *= static_cast<double>(size);
  double links = 0;
  for (std::int64_t size : sizes) links += endpoints * (static_cast<double>(size) - 1);
  require_storable(spec_of(sizes), endpoints, links);
  return {sizes.begin(), sizes.end()};
}

int product(const std::vector<int>& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>()); }

class HyperX final : public StoredLinks {
 public:
  static constexpr int kAllOrders = 4;

  /// `sizes` are ≥ 1 each. Throws InputError if there are too many endpoints or links.
  explicit HyperX(const std::vector<std::int64_t>& sizes)
      : StoredLinks(product(checked_dims(sizes)), 0), grid_(checked_dims(sizes), true) {
    double cables = 0;
    for (const int size : grid_.dims()) cables += 0.5 * endpoints() * (size - 1);
    reserve_cables(static_cast<std::size_t>(cables));
    std::int32_t stride = endpoints();
    for (int dimension = 0; dimension < grid_.dimensions(); ++dimension) {
      const int size = grid_.dims()[static_cast<std::size_t>(dimension)];
      stride /= size;
      if (size == 1) continue;
      axes_.push_back({.size = size, .stride = stride, .first_link = links(), .dimension = dimension});
      for (std::int32_t line = 0; line < endpoints() / size; ++line) {
        const VertexId first = line / stride * stride * size + line % stride;
        for (std::int32_t low = 0; low < size; ++low) {
          for (std::int32_t high = low + 1; high < size; ++high) add_cable(first + low * stride, first + high * stride, 0);
        }
      }
    }
  }

  std::string shape() const override { return spec_of(grid_.dims()); }
  bool is_direct() const override { return true; }
  int tier(LinkId link) const override { return by_dimension_ ? axis_of(link).dimension : 0; }
  std::shared_ptr<const Topology> by_dimension() const override {
    if (grid_.dimensions() == 1) return nullptr;
    auto same = std::make_shared<HyperX>(*this);
    same->by_dimension_ = true;
    return same;
  }
  /// Orders of dimensions that begin alike share links; at several speeds the others are wider.
  WayWidths way_widths() const override { return WayWidths::equal_at_one_speed; }
  /// By dimension.
  LinkOrder order(LinkId link) const override { return {0, static_cast<int>(&axis_of(link) - axes_.data()) + 1}; }
  /// Each dimension out of its order starts again; of a rotated order that is one.
  int channels(Routing routing) const override {
    if (routing.way() == Routing::Way::deterministic) return 1;
    const int most = std::min(static_cast<int>(axes_.size()), kAllOrders);
    return std::max(most, 1);
  }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    const Changes to_make = changes(from, to);
    const int orders = to_make.orders();
    const int first = routing.splits() ? 0 : routing.choice(from, to, 0, orders);
    const int ways = routing.splits() ? orders : 1;
    for (int number = first; number < first + ways; ++number) {
      to_make.walk(from, to_make.order(number), route);
      route.close_path(1.0 / ways);
    }
  }
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.diameter = static_cast<int>(axes_.size());
    facts.bisection = bisection();
    if (by_dimension_) {
      std::vector<int> cables(grid_.dims().size());
      for (const Axis& axis : axes_)
        cables[static_cast<std::size_t>(axis.dimension)] = endpoints() / axis.size * (axis.size * (axis.size - 1) / 2);
      facts.tiers = tiers_by_dimension(cables);
    }
    return facts;
  }
  /// Wraps around: the ends of a line are neighbours like all others.
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; on one dimension "3".
  std::string vertex_name(VertexId vertex) const override {
    if (grid_.dimensions() == 1) return fmt::format("{}", vertex);
    return fmt::format("({})", fmt::join(grid_.coordinates(Rank(vertex)), ","));
  }

 private:
  /// A dimension of more than one coordinate.
  struct Axis {
    std::int32_t size;
    std::int32_t stride;
    LinkId first_link;
    int dimension;  ///< those of one coordinate counted

    /// Of two vertices that differ in this dimension only.
    LinkId link(VertexId from, VertexId to) const {
      const std::int32_t line = from / (stride * size) * stride + from % stride;
      const auto [low, high] = std::minmax({from / stride % size, to / stride % size});
      return first_link + 2 * (line * (size * (size - 1) / 2) + pair_number(low, high, size)) + (from < to ? 0 : 1);
    }
  };
  // kMaxEndpoints bounds the axes, each of at least two coordinates.
  static constexpr int kMaxAxes = 28;
  /// The coordinates in which two endpoints differ, first dimension first.
  struct Changes {
    struct Change {
      const Axis* axis;
      std::int32_t step;  ///< in vertices
    };
    std::array<Change, kMaxAxes> list{};
    int count = 0;

    /// Adds the links of the way that makes the changes in an order.
    void walk(VertexId vertex, const std::array<int, kMaxAxes>& order, Route& route) const {
      for (int i = 0; i < count; ++i) {
        const Change& change = list[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
        route.add_link(change.axis->link(vertex, vertex + change.step));
        vertex += change.step;
      }
    }

    /// The orders that Routing::split() spreads over.
    int orders() const {
      if (count > kAllOrders) return count;
      int factorial = 1;
      for (int i = 2; i <= count; ++i) factorial *= i;
      return factorial;
    }

    /// Number 0 is the order of dimensions.
    std::array<int, kMaxAxes> order(int number) const {
      std::array<int, kMaxAxes> order{};
      const auto end = order.begin() + count;
      std::iota(order.begin(), end, 0);
      if (count > kAllOrders) {
        std::rotate(order.begin(), order.begin() + number, end);
      } else {
        for (int i = 0; i < number; ++i) std::next_permutation(order.begin(), end);
      }
      return order;
    }
  };

  const Axis& axis_of(LinkId link) const {
    return *std::find_if(axes_.rbegin(), axes_.rend(), [link](const Axis& axis) { return axis.first_link <= link; });
  }
  Changes changes(VertexId from, VertexId to) const {
    Changes changes;
    for (const Axis& axis : axes_) {
      const std::int32_t apart = to / axis.stride % axis.size - from / axis.stride % axis.size;
      if (apart != 0) changes.list[static_cast<std::size_t>(changes.count++)] = {&axis, apart * axis.stride};
    }
    return changes;
  }
  // Of all sets of as many vertices, the first ones, counted with the shortest dimension the slowest, have the fewest links to
  // the others (Lindsey: Assignment of Numbers to Vertices, 1964). The first half of them cuts lines of that dimension into
  // halves; where it is odd, its middle slice is halved in turn. A line of d that is cut in the middle, or just before or behind
  // it, has ⌊d²/4⌋ cut cables.
  int bisection() const {
    std::vector<std::int32_t> sizes;
    for (const Axis& axis : axes_) sizes.push_back(axis.size);
    std::sort(sizes.begin(), sizes.end());
    std::int64_t cut = 0;
    std::int64_t slice = endpoints();
    for (std::int64_t size : sizes) {
      slice /= size;
      cut += size * size / 4 * slice;
      if (size % 2 == 0) break;
    }
    return static_cast<int>(cut);
  }

  Grid grid_;
  std::vector<Axis> axes_;
  bool by_dimension_ = false;  ///< a tier of links for each dimension
};

std::unique_ptr<Topology> build_hyperx(SpecFields& fields) { return std::make_unique<HyperX>(fields.sizes(fields.bare())); }

}  // namespace

std::vector<FamilyEntry> hyperx_families() {
  return {{{"hyperx", "hyperx:8x8", "a grid of endpoints whose lines are full meshes"}, build_hyperx}};
}

}  // namespace heddle
