// SPDX-License-Identifier: Apache-2.0
// A torus of two dimensions in which a line of the second one does not close on itself: its last cable leads to the line that is
// `twist` further on in the first dimension.
//
//   torus:4x2,twist=2     (0,0)─(1,0)─(2,0)─(3,0)─ round    up from (x,1) leads to (x+2,0): the lines of x and x+2 are one ring
//                           │     │     │     │
//                         (0,1)─(1,1)─(2,1)─(3,1)─ round
//
// On a grid of 2a x a a twist of a makes both dimensions alike: ways are shorter, and the narrowest cut is wider (Cámara, Moretó,
// Vallejo, Beivide, Miguel-Alonso, Martínez, Navaridas: Twisted Torus Topologies for Enhanced Interconnection Networks, TPDS 2010).
//
// So steps (u, v) lead to where (u + a, v) and (u - twist, v + b) lead. A route takes the fewest, along the first dimension and
// then along the second; all ways of as few steps tie.
#include "topo/families/grids/twisted_torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kMostTimesAsLong = 64;  // bounds the turns round the second dimension that a way may take

class TwistedTorus final : public StoredLinks {
 public:
  static constexpr std::size_t kMostWays = 64;

  /// a x b endpoints, a ≥ 2, b ≥ 2, 0 < twist < a.
  TwistedTorus(std::int32_t a, std::int32_t b, std::int32_t twist)
      : StoredLinks(a * b, 0), grid_({a, b}, true), a_(a), b_(b), twist_(twist) {
    reserve_cables(2 * static_cast<std::size_t>(endpoints()));
    for (VertexId vertex = 0; vertex < endpoints(); ++vertex)
      if (a > 2 || x_of(vertex) == 0) add_cable(vertex, moved(vertex, 1, 0), 0);
    first_second_ = links();
    for (VertexId vertex = 0; vertex < endpoints(); ++vertex) add_cable(vertex, moved(vertex, 0, 1), 1);
    // The fabric looks the same from everywhere.
    for (VertexId to = 0; to < endpoints(); ++to) {
      for (const Steps& way : ways(0, to)) {
        diameter_ = std::max(diameter_, way.count());
        most_seams_ = std::max(most_seams_, (std::abs(way.v) + b_ - 1) / b_);
      }
    }
  }

  std::string shape() const override { return fmt::format("torus:{}x{},twist={}", a_, b_, twist_); }
  bool is_direct() const override { return true; }
  WayWidths way_widths() const override { return WayWidths::any; }
  /// As on a torus. Along the second dimension a way starts again from below at each seam.
  LinkOrder order(LinkId link) const override {
    const VertexId tail = ends(link).from;
    const bool up = link % 2 == 0;
    if (link < first_second_) return {0, up ? x_of(tail) : a_ - 1 - x_of(tail)};
    return {1, up ? y_of(tail) : b_ - 1 - y_of(tail)};
  }
  int channels(Routing) const override { return 1 + std::max(a_ > 3 ? 1 : 0, most_seams_); }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    const std::vector<Steps> all = ways(from, to);
    const auto count = static_cast<std::int32_t>(all.size());
    const std::int32_t first = routing.splits() ? 0 : routing.choice(from, to, 0, count);
    const std::int32_t taken = routing.splits() ? count : 1;
    for (std::int32_t i = first; i < first + taken; ++i) {
      const Steps& way = all[static_cast<std::size_t>(i)];
      VertexId vertex = from;
      walk(vertex, way.u, 0, route);
      walk(vertex, way.v, 1, route);
      route.close_path(1.0 / taken);
    }
  }
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.diameter = diameter_;
    facts.bisection = bisection();
    const int first = first_second_ / 2;
    facts.tiers = tiers_by_dimension(std::array{first, facts.cables - first});
    return facts;
  }
  const Grid* grid() const override { return &grid_; }
  std::string vertex_name(VertexId vertex) const override { return fmt::format("({},{})", x_of(vertex), y_of(vertex)); }

 private:
  /// Along the first dimension and the second; negative: downwards.
  struct Steps {
    std::int32_t u;
    std::int32_t v;
    std::int32_t count() const { return std::abs(u) + std::abs(v); }
  };

  std::int32_t x_of(VertexId vertex) const { return vertex / b_; }
  std::int32_t y_of(VertexId vertex) const { return vertex % b_; }
  /// By at most one step.
  VertexId moved(VertexId vertex, std::int32_t u, std::int32_t v) const {
    std::int32_t x = x_of(vertex) + u;
    std::int32_t y = y_of(vertex) + v;
    if (y == b_) y = 0, x += twist_;
    if (y < 0) y = b_ - 1, x -= twist_;
    return (x % a_ + a_) % a_ * b_ + y;
  }

  /// Those of the fewest steps, the fewest of them along the second dimension first.
  std::vector<Steps> ways(VertexId from, VertexId to) const {
    const std::int32_t x = x_of(to) - x_of(from);
    const std::int32_t y = y_of(to) - y_of(from);
    std::vector<Steps> best;
    const auto consider = [&](Steps steps) {
      if (!best.empty() && steps.count() > best.front().count()) return;
      if (!best.empty() && steps.count() < best.front().count()) best.clear();
      best.push_back(steps);
    };
    const auto consider_turns = [&](std::int32_t turns) {
      const std::int32_t v = y + turns * b_;
      const std::int32_t u = ((x - turns * twist_) % a_ + a_) % a_;
      if (2 * u <= a_) consider({u, v});
      if (2 * u > a_ || (2 * u == a_ && a_ > 2)) consider({u - a_, v});
    };
    consider_turns(0);
    for (std::int32_t turns = 1; (turns - 1) * b_ <= best.front().count(); ++turns) {
      consider_turns(-turns);
      consider_turns(turns);
    }
    std::ranges::stable_sort(best, {}, [](const Steps& steps) { return std::abs(steps.v); });
    if (best.size() > kMostWays) best.resize(kMostWays);
    return best;
  }

  void walk(VertexId& vertex, std::int32_t steps, int dimension, Route& route) const {
    const std::int32_t step = steps > 0 ? 1 : -1;
    for (; steps != 0; steps -= step) {
      const VertexId next = moved(vertex, dimension == 0 ? step : 0, dimension == 0 ? 0 : step);
      const VertexId lower = step > 0 ? vertex : next;
      if (dimension == 1)
        route.add_link(first_second_ + 2 * lower + (step > 0 ? 0 : 1));
      else if (a_ > 2)
        route.add_link(2 * lower + (step > 0 ? 0 : 1));
      else
        route.add_link(2 * y_of(vertex) + x_of(vertex));
      vertex = next;
    }
  }

  /// The narrower of two: between the first half of the endpoints and the second, and across the second dimension if it is even.
  int bisection() const {
    const VertexId half = endpoints() / 2;
    int cut = 0;
    for (LinkId link = 0; link < links(); link += 2) cut += (ends(link).from < half) != (ends(link).to < half) ? 1 : 0;
    return b_ % 2 == 0 ? std::min(cut, 2 * a_) : cut;
  }

  Grid grid_;
  std::int32_t a_;
  std::int32_t b_;
  std::int32_t twist_;
  LinkId first_second_ = 0;  ///< of the second dimension
  int diameter_ = 0;
  int most_seams_ = 0;  ///< on a way
};

}  // namespace

std::unique_ptr<Topology> build_twisted_torus(SpecFields& fields, const std::vector<std::int64_t>& sizes, std::int64_t twist) {
  if (sizes.size() != 2)
    fields.refuse(fmt::format("twist is for two dimensions, not {}, as in torus:8x4,twist=4", sizes.size()));
  const std::int64_t a = sizes[0];
  const std::int64_t b = sizes[1];
  if (a < 2 || b < 2) fields.refuse("twist is for two dimensions of at least 2, as in torus:8x4,twist=4");
  if (twist >= a)
    fields.refuse(fmt::format("twist={} of a first dimension of {}: a number from 1 to {} is needed", twist, a, a - 1));
  if (a / b > kMostTimesAsLong)
    fields.refuse(fmt::format("with a twist the first dimension is at most {} times as long as the second", kMostTimesAsLong));
  const double endpoints = static_cast<double>(a) * static_cast<double>(b);
  require_storable(std::string(fields.whole()), endpoints, 4 * endpoints);
  return std::make_unique<TwistedTorus>(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b),
                                        static_cast<std::int32_t>(twist));
}

}  // namespace heddle
