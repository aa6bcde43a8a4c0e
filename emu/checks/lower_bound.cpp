// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/grid.hpp"
#include "emu/checks/longest_latency.hpp"

namespace heddle::emu {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The links on one side of something, taken together.
struct Ports {
  double bandwidth = 0;  ///< bytes/s
  Time least_latency = Time::max();

  void add(const Fabric& fabric, LinkId link) {
    bandwidth += fabric.bandwidth(link).bytes_per_second();
    least_latency = std::min(least_latency, fabric.latency(link));
  }
};

class Bound {
 public:
  Bound(const Fabric& fabric, double bytes) : alpha_(fabric.settings().alpha.seconds()), bytes_(bytes) {}

  void at_least(double seconds, const std::string& reason) {
    if (seconds > bound_.seconds) bound_ = {seconds, reason};
  }
  /// `vectors` times M must pass through links of this bandwidth, the first of it in a message that takes `latency`.
  void must_pass(double vectors, double bandwidth, Time latency, const std::string& reason) {
    at_least(alpha_ + latency.seconds() + vectors * bytes_ / bandwidth, reason);
  }
  double alpha() const { return alpha_; }
  LowerBound result() const { return bound_; }

 private:
  double alpha_;
  double bytes_;
  LowerBound bound_;
};

enum class Way { out, in };

void bound_by_ports(Bound& bound, const Fabric& fabric, const Placement& placement, Way way) {
  const Topology& topology = fabric.topology();
  std::vector<Ports> ports(static_cast<std::size_t>(topology.endpoints() + topology.switches()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    ports[static_cast<std::size_t>(way == Way::out ? ends.from : ends.to)].add(fabric, link);
  }
  Ports all;
  double narrowest = kInfinity;
  for (const VertexId endpoint : placement) {
    const Ports& own = ports[static_cast<std::size_t>(endpoint)];
    all.bandwidth += own.bandwidth;
    all.least_latency = std::min(all.least_latency, own.least_latency);
    narrowest = std::min(narrowest, own.bandwidth);
  }
  const char* verb = way == Way::out ? "leave" : "enter";
  const auto vectors = static_cast<double>(2 * (placement.size() - 1));
  bound.must_pass(vectors, all.bandwidth, all.least_latency,
                  fmt::format("2(p-1) = {} times the vector must {} the ranks' endpoints", vectors, verb));
  bound.must_pass(1, narrowest, all.least_latency, fmt::format("the whole vector must {} each rank's endpoint", verb));
}

void bound_by_half_cuts(Bound& bound, const Fabric& fabric, const Placement& placement) {
  const Topology& topology = fabric.topology();
  const Grid* grid = topology.grid();
  if (grid == nullptr) return;
  for (int d = 0; d < grid->dimensions(); ++d) {
    const int middle = grid->dims()[static_cast<std::size_t>(d)] / 2;
    const auto is_upper = [&](VertexId v) { return grid->coordinate(Rank(v), d) >= middle; };
    const auto upper_ranks = std::count_if(placement.begin(), placement.end(), is_upper);
    if (upper_ranks == 0 || upper_ranks == static_cast<std::ptrdiff_t>(placement.size())) continue;
    std::array<Ports, 2> crossing;  // up, down
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      if (is_upper(ends.from) != is_upper(ends.to)) crossing[is_upper(ends.from) ? 1 : 0].add(fabric, link);
    }
    for (const Ports& way : crossing) {
      bound.must_pass(1, way.bandwidth, way.least_latency,
                      fmt::format("the whole vector must cross the middle of dimension {}", d));
    }
  }
}

}  // namespace

LowerBound allreduce_lower_bound(const Fabric& fabric, const Placement& placement, double bytes) {
  if (placement.size() < 2 || bytes <= 0) return {};
  Bound bound(fabric, bytes);
  bound.at_least(bound.alpha() + longest_latency(fabric, placement).seconds(),
                 "a message between the ranks that are farthest apart takes as long");
  bound_by_ports(bound, fabric, placement, Way::out);
  bound_by_ports(bound, fabric, placement, Way::in);
  bound_by_half_cuts(bound, fabric, placement);
  return bound.result();
}

}  // namespace heddle::emu
