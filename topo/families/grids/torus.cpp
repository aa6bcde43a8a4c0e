// SPDX-License-Identifier: Apache-2.0
// Torus, mesh (a torus without wrap-around), ring (a torus of one dimension) and hypercube (a torus of sizes 2): endpoints on a
// grid, each joined to its neighbours.
//
// Endpoints are numbered row-major: the last dimension varies fastest, so node 1 of torus:8x8 is (0,1). A dimension of size 2
// has one cable per pair, wrap-around or not; a dimension of size 1 has none.
//
// Routing is by dimension order (the first dimension first), the shortest way round. Half-way round an even ring the two ways
// tie; Routing::split() gives each of the 2^k ways through k tied dimensions the same share, Routing::ecmp() hashes the flow to
// one of them. On a hypercube, where nothing ties, this is e-cube routing; other orders of dimensions are not taken.
//
// Nothing is stored per endpoint or link: routes and numbers are computed from the sizes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/families/grids/twisted_torus.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

class Torus final : public Topology {
 public:
  enum class Family : std::uint8_t { ring, torus, mesh, hypercube };

  /// `sizes` are ≥ 1 each; a ring has one, those of a hypercube are 2. Throws InputError if there are too many endpoints or
  /// links.
  Torus(Family family, const std::vector<std::int64_t>& sizes);

  std::string shape() const override;
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 0; }
  int links() const override { return links_; }
  LinkEnds ends(LinkId link) const override;
  bool is_direct() const override { return true; }
  int tier(LinkId link) const override { return by_dimension_ ? axis_of(link).dimension : 0; }
  std::shared_ptr<const Topology> by_dimension() const override {
    if (grid_.dimensions() == 1) return nullptr;
    auto same = std::make_shared<Torus>(*this);
    same->by_dimension_ = true;
    return same;
  }
  /// Dimensions one after the other; in each, along the line. Only a way round its end starts again from below.
  LinkOrder order(LinkId link) const override;
  int channels(Routing) const override {
    return std::ranges::any_of(axes_, [](const Axis& axis) { return axis.wraps && axis.size > 3; }) ? 2 : 1;
  }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// At most two runs for each dimension of a path.
  void route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const override;
  TopologyProperties properties() const override;
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; on one dimension "3".
  std::string vertex_name(VertexId vertex) const override;

 private:
  /// A dimension of more than one coordinate. Its cables are numbered by the vertex at their lower end (the last coordinate,
  /// where a cable wraps around), without holes; cable c is the links first_link + 2c (increasing) and first_link + 2c + 1.
  struct Axis {
    std::int32_t size;
    std::int32_t stride;  ///< from one coordinate to the next, in vertices
    LinkId first_link;
    int dimension;  ///< those of one coordinate counted
    bool wraps;     ///< never with size 2, whose two ways are the same cable

    std::int32_t cables_per_line() const { return wraps ? size : size - 1; }
    /// Cables that meet at an inner vertex.
    int degree() const { return size == 2 ? 1 : 2; }
    int diameter() const { return wraps ? size / 2 : size - 1; }
  };
  struct Leg;
  struct Plan;

  Plan plan_route(VertexId from, VertexId to) const;
  template <class AddRun, class ClosePath>
  void walk(VertexId from, VertexId to, Routing routing, const AddRun& add_run, const ClosePath& close_path) const;
  std::int32_t bisection() const;
  const Axis& axis_of(LinkId link) const {
    return *std::find_if(axes_.rbegin(), axes_.rend(), [link](const Axis& axis) { return axis.first_link <= link; });
  }

  Family family_;
  Grid grid_;
  std::vector<Axis> axes_;
  std::int32_t endpoints_;
  LinkId links_ = 0;
  bool by_dimension_ = false;  ///< a tier of links for each dimension
};

std::string_view name_of(Torus::Family family) {
  switch (family) {
    case Torus::Family::ring:
      return "ring";
    case Torus::Family::torus:
      return "torus";
    case Torus::Family::mesh:
      return "mesh";
    case Torus::Family::hypercube:
      return "hypercube";
  }
  return {};
}

std::string spec_of(Torus::Family family, const auto& sizes) {
  if (family == Torus::Family::hypercube) return fmt::format("hypercube:{}", sizes.size());
  return fmt::format("{}:{}", name_of(family), fmt::join(sizes, "x"));
}

/// The sizes as Grid takes them, if that many endpoints and links can be numbered.
std::vector<int> checked_dims(Torus::Family family, const std::vector<std::int64_t>& sizes) {
  double endpoints = 1;
  for (std::int64_t size : sizes) endpoints *= static_cast<double>(size);
  double links = 0;
  for (std::int64_t size : sizes) {
    const bool wraps = family != Torus::Family::mesh && size > 2;
    const auto length = static_cast<double>(size);
    links += 2 * endpoints / length * (wraps ? length : length - 1);
  }
  require_numberable(spec_of(family, sizes), endpoints, links);
  return {sizes.begin(), sizes.end()};
}

Torus::Torus(Family family, const std::vector<std::int64_t>& sizes)
    : family_(family), grid_(checked_dims(family, sizes), family != Family::mesh), endpoints_(grid_.size()) {
  std::int32_t stride = endpoints_;
  for (int dimension = 0; dimension < grid_.dimensions(); ++dimension) {
    const int size = grid_.dims()[static_cast<std::size_t>(dimension)];
    stride /= size;
    if (size == 1) continue;
    const Axis axis{
        .size = size, .stride = stride, .first_link = links_, .dimension = dimension, .wraps = grid_.wraps() && size > 2};
    links_ += 2 * (endpoints_ / size * axis.cables_per_line());
    axes_.push_back(axis);
  }
}

std::string Torus::shape() const { return spec_of(family_, grid_.dims()); }

LinkEnds Torus::ends(LinkId link) const {
  const Axis* const axis = &axis_of(link);
  const std::int32_t cable = (link - axis->first_link) / 2;
  // Without wrap-around the last coordinate of each line of vertices has no cable of its own: step over it.
  const std::int32_t lines_before = axis->wraps ? 0 : cable / (axis->cables_per_line() * axis->stride);
  const VertexId lower = cable + lines_before * axis->stride;
  const bool around = lower / axis->stride % axis->size == axis->size - 1;
  const VertexId upper = around ? lower - (axis->size - 1) * axis->stride : lower + axis->stride;
  const bool increasing = (link - axis->first_link) % 2 == 0;
  return increasing ? LinkEnds{lower, upper} : LinkEnds{upper, lower};
}

LinkOrder Torus::order(LinkId link) const {
  const Axis* const axis = &axis_of(link);
  const std::int32_t tail = ends(link).from / axis->stride % axis->size;
  const bool increasing = (link - axis->first_link) % 2 == 0;
  return {static_cast<int>(axis - axes_.data()), increasing ? tail : axis->size - 1 - tail};
}

// Inline, all of it: a route of one link takes hardly longer than a call.

/// The part of a route along one axis.
struct Torus::Leg {
  const Axis* axis;
  LinkId link_of_vertex_0;  ///< the cable whose lower end is vertex v is the links link_of_vertex_0 + 2v and the next
  std::int32_t coordinate;  ///< where it begins
  std::int32_t steps;
  bool increasing;
  bool ties;  ///< the decreasing way is as short

  /// Says the runs of links and moves `vertex` to the leg's end. A way round the end of a line is two runs.
  template <class AddRun>
  [[gnu::always_inline]] inline void walk(bool upwards, VertexId& vertex, const AddRun& add_run) const {
    const std::int32_t stride = axis->stride;
    const std::int32_t before_end = upwards ? axis->size - coordinate : coordinate;  // links up to the end of the line
    const std::int32_t behind_end = steps - before_end;
    const auto add_upwards = [&](std::int32_t count) {
      add_run(LinkRun{link_of_vertex_0 + 2 * vertex, 2 * stride, count});
      vertex += count * stride;
    };
    const auto add_downwards = [&](std::int32_t count) {
      add_run(LinkRun{link_of_vertex_0 + 2 * (vertex - stride) + 1, -2 * stride, count});
      vertex -= count * stride;
    };
    if (upwards) {
      if (behind_end < 0) return add_upwards(steps);
      add_upwards(before_end);
      vertex -= axis->size * stride;
      if (behind_end > 0) add_upwards(behind_end);
    } else {
      if (behind_end <= 0) return add_downwards(steps);
      if (before_end > 0) add_downwards(before_end);
      vertex += axis->size * stride;
      add_downwards(behind_end);
    }
  }
};

/// All legs of a route in order, those of no steps left out.
struct Torus::Plan {
  // kMaxEndpoints bounds the axes, each of at least two coordinates.
  static constexpr int kMaxAxes = 28;
  static_assert((std::int64_t{1} << kMaxAxes) >= kMaxEndpoints);

  std::array<Leg, kMaxAxes> legs;  // the first `count`; the others are left uninitialised, for speed
  std::size_t count = 0;
  int ties = 0;
};

[[gnu::always_inline]] inline Torus::Plan Torus::plan_route(VertexId from, VertexId to) const {
  Plan plan;
  std::int32_t from_rest = from;
  std::int32_t to_rest = to;
  std::int32_t lines_before = 0;  // lines of vertices along the axis before the one that the leg runs on
  for (const Axis& axis : axes_) {
    const std::int32_t start = axis.stride == 1 ? from_rest : from_rest / axis.stride;
    const std::int32_t end = axis.stride == 1 ? to_rest : to_rest / axis.stride;
    from_rest -= start * axis.stride;
    to_rest -= end * axis.stride;
    if (start != end) {
      Leg& leg = plan.legs[plan.count++];
      leg = {&axis, axis.first_link, start, std::abs(end - start), end > start, false};
      if (axis.wraps) {
        const std::int32_t other_way = axis.size - leg.steps;
        leg.ties = other_way == leg.steps;
        leg.increasing = leg.ties || leg.increasing == (leg.steps < other_way);
        leg.steps = std::min(leg.steps, other_way);
        plan.ties += leg.ties ? 1 : 0;
      } else {
        leg.link_of_vertex_0 -= 2 * lines_before * axis.stride;  // each line has one cable fewer than vertices
      }
    }
    lines_before = lines_before * axis.size + end;  // the legs before this one have arrived at the coordinates of `to`
  }
  return plan;
}

template <class AddRun, class ClosePath>
[[gnu::always_inline]] inline void Torus::walk(VertexId from, VertexId to, Routing routing, const AddRun& add_run,
                                               const ClosePath& close_path) const {
  if (from == to) return;
  const Plan plan = plan_route(from, to);
  // Bit i of a choice sends the i-th tied leg the decreasing way.
  const std::int32_t ways = std::int32_t{1} << plan.ties;
  const std::int32_t chosen = routing.splits() ? 0 : routing.choice(from, to, 0, ways);
  const std::int32_t taken = routing.splits() ? ways : 1;
  const double share = 1.0 / taken;
  for (std::int32_t choice = chosen; choice < chosen + taken; ++choice) {
    VertexId vertex = from;
    std::int32_t turns = choice;
    for (std::size_t i = 0; i < plan.count; ++i) {
      const Leg& leg = plan.legs[i];
      const bool turned = leg.ties && (turns & 1) != 0;
      if (leg.ties) turns >>= 1;
      leg.walk(leg.increasing != turned, vertex, add_run);
    }
    close_path(share);
  }
}

void Torus::route(VertexId from, VertexId to, Routing routing, Route& route) const {
  route.clear();
  const auto add_links = [&route](const LinkRun& run) {
    for (std::int32_t i = 0; i < run.count; ++i) route.add_link(run[i]);
  };
  walk(from, to, routing, add_links, [&route](double share) { route.close_path(share); });
}

void Torus::route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const {
  route.clear();
  walk(
      from, to, routing, [&route](const LinkRun& run) { route.add_run(run); },
      [&route](double share) { route.close_path(share); });
}

TopologyProperties Torus::properties() const {
  TopologyProperties facts;
  facts.endpoints = endpoints_;
  facts.cables = links_ / 2;
  facts.tiers.front().cables = facts.cables;
  std::vector<int> cables(grid_.dims().size());
  for (const Axis& axis : axes_) {
    cables[static_cast<std::size_t>(axis.dimension)] = endpoints_ / axis.size * axis.cables_per_line();
    facts.degree += axis.degree();
    facts.diameter += axis.diameter();
  }
  facts.bisection = bisection();
  if (by_dimension_) facts.tiers = tiers_by_dimension(cables);
  return facts;
}

// The narrowest even cut runs straight across the axis that it crosses with the fewest cables. Where that axis is odd, its
// middle slice is cut in half in turn, across the next axis, until an axis is even. With axes in that order the width is
//   Σ_i w_i · Π_{j>i} d_j   over the axes up to the first even one, all if none is; w = 2 with wrap-around, 1 without
// (Arjona Aroca, Fernández Anta: Bisection (Band)Width of Product Networks, TAMC 2012; tori of size 2 follow from w = 1).
std::int32_t Torus::bisection() const {
  const auto weight = [](const Axis& axis) { return axis.wraps ? 2 : 1; };
  std::vector<Axis> narrowest_first = axes_;
  std::sort(narrowest_first.begin(), narrowest_first.end(), [&](const Axis& a, const Axis& b) {
    const std::int64_t a_cut = std::int64_t{weight(a)} * b.size;
    const std::int64_t b_cut = std::int64_t{weight(b)} * a.size;
    return a_cut != b_cut ? a_cut < b_cut : a.size % 2 < b.size % 2;
  });
  std::int32_t cut = 0;
  std::int32_t slice = endpoints_;
  for (const Axis& axis : narrowest_first) {
    slice /= axis.size;
    cut += weight(axis) * slice;
    if (axis.size % 2 == 0) break;
  }
  return cut;
}

std::string Torus::vertex_name(VertexId vertex) const {
  if (grid_.dimensions() == 1) return fmt::format("{}", vertex);
  return fmt::format("({})", fmt::join(grid_.coordinates(Rank(vertex)), ","));
}

std::unique_ptr<Topology> build_ring(SpecFields& fields) {
  return std::make_unique<Torus>(Torus::Family::ring, std::vector{read_one_size(fields)});
}
std::unique_ptr<Topology> build_torus(SpecFields& fields) {
  if (const std::optional<std::int64_t> twist = fields.number("twist"))
    return build_twisted_torus(fields, fields.sizes(fields.bare()), *twist);
  return std::make_unique<Torus>(Torus::Family::torus, fields.sizes(fields.bare()));
}
std::unique_ptr<Topology> build_mesh(SpecFields& fields) {
  return std::make_unique<Torus>(Torus::Family::mesh, fields.sizes(fields.bare()));
}

/// A torus of two coordinates in each dimension, with a text of its own.
std::unique_ptr<Topology> build_hypercube(SpecFields& fields) {
  constexpr std::int64_t kMostDimensions = 28;  // of two coordinates each; more are more endpoints than can be numbered
  const std::int64_t dimensions = read_one_size(fields);
  if (dimensions > kMostDimensions) fields.refuse(fmt::format("{} dimensions are more than {}", dimensions, kMostDimensions));
  return std::make_unique<Torus>(Torus::Family::hypercube, std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), 2));
}

}  // namespace

std::vector<FamilyEntry> hypercube_families() {
  return {{{"hypercube", "hypercube:6", "2^d endpoints, a cable wherever one bit of their numbers differs"}, build_hypercube}};
}

std::vector<FamilyEntry> torus_families() {
  return {{{"ring", "ring:16", "endpoints in a circle"}, build_ring},
          {{"torus", "torus:8x8x4", "a grid of endpoints whose lines close to rings"}, build_torus},
          {{"mesh", "mesh:4x4", "a grid of endpoints without wrap-around"}, build_mesh}};
}

}  // namespace heddle
