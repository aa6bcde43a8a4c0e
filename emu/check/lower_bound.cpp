// SPDX-License-Identifier: Apache-2.0
#include "emu/check/lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heddle/grid.hpp"

namespace heddle::emu {

namespace {

/// Ranks on one side of a cut.
using CutSide = std::vector<bool>;

/// Elements that must move at the least, whoever relays them.
class Demand {
 public:
  explicit Demand(const CallLayout& layout) : layout_(layout), count_(layout.count()), p_(layout.ranks()) {}

  /// Out of this rank.
  std::int64_t leaving(int rank) const {
    const bool is_root = Rank(rank) == layout_.root();
    switch (layout_.collective()) {
      case Collective::broadcast:
        return is_root ? count_ : 0;
      case Collective::reduce:
        return is_root ? 0 : count_;
      case Collective::allreduce:
        return count_;
      case Collective::reduce_scatter:
        return count_ - own(rank);
      case Collective::alltoall:
        return layout_.input(Rank(rank)).count - own(rank);
      case Collective::allgather:
        return own(rank);
      case Collective::gather:
        return is_root ? 0 : own(rank);
      case Collective::scatter:
        return is_root ? count_ - own(rank) : 0;
      case Collective::barrier:
        return 0;
    }
    return 0;
  }

  /// Into this rank.
  std::int64_t entering(int rank) const {
    const bool is_root = Rank(rank) == layout_.root();
    switch (layout_.collective()) {
      case Collective::broadcast:
        return is_root ? 0 : count_;
      case Collective::reduce:
        return is_root ? count_ : 0;
      case Collective::allreduce:
        return count_;
      case Collective::allgather:
        return count_ - own(rank);
      case Collective::alltoall:
        return layout_.output(Rank(rank)).count - own(rank);
      case Collective::reduce_scatter:
        return own(rank);
      case Collective::gather:
        return is_root ? count_ - own(rank) : 0;
      case Collective::scatter:
        return is_root ? 0 : own(rank);
      case Collective::barrier:
        return 0;
    }
    return 0;
  }

  /// Out of all ranks together, and into them, where ranks alone compute.
  double altogether() const {
    const auto others = static_cast<double>(p_ - 1);
    const auto count = static_cast<double>(count_);
    switch (layout_.collective()) {
      case Collective::allreduce:
        return 2 * others * count;
      case Collective::broadcast:
      case Collective::reduce:
      case Collective::reduce_scatter:
      case Collective::allgather:
        return others * count;
      default: {
        double sum = 0;
        for (int rank = 0; rank < p_; ++rank) sum += static_cast<double>(leaving(rank));
        return sum;
      }
    }
  }

  /// From the ranks of this side to the others.
  std::int64_t across(const CutSide& side) const {
    const bool root_is_here = side[static_cast<std::size_t>(layout_.root().value())];
    switch (layout_.collective()) {
      case Collective::broadcast:
        return root_is_here ? count_ : 0;
      case Collective::reduce:
        return root_is_here ? 0 : count_;
      case Collective::allreduce:
        return count_;
      case Collective::reduce_scatter:
        return blocks_of(side, false);
      case Collective::allgather:
        return blocks_of(side, true);
      case Collective::gather:
        return root_is_here ? 0 : blocks_of(side, true);
      case Collective::scatter:
        return root_is_here ? blocks_of(side, false) : 0;
      case Collective::alltoall:
        return exchanged(side);
      case Collective::barrier:
        return 0;
    }
    return 0;
  }

  /// Whether `to` needs something that only `from` has.
  bool depends(int to, int from) const {
    if (layout_.collective() == Collective::alltoall) return to != from && layout_.size(Rank(from), to) > 0;
    return to != from && leaving(from) > 0 && entering(to) > 0;
  }

  /// Whether each rank depends on each other one.
  bool is_mutual() const {
    if (layout_.collective() == Collective::allreduce || layout_.collective() == Collective::barrier) return true;
    if (has_root(layout_.collective())) return false;
    for (int rank = 0; rank < (has_rows_alike() ? 1 : p_); ++rank) {
      for (int b = 0; b < p_; ++b) {
        if (layout_.size(Rank(rank), b) == 0) return false;
      }
    }
    return true;
  }

 private:
  std::int64_t own(int rank) const { return layout_.size(Rank(rank), rank); }

  /// Whether one rank's blocks are every rank's.
  bool has_rows_alike() const { return layout_.sends().empty(); }

  std::int64_t blocks_of(const CutSide& side, bool here) const {
    std::int64_t sum = 0;
    for (int rank = 0; rank < p_; ++rank) sum += side[static_cast<std::size_t>(rank)] == here ? own(rank) : 0;
    return sum;
  }

  std::int64_t exchanged(const CutSide& side) const {
    std::int64_t sum = 0;
    for (int from = 0; from < p_; ++from) {
      if (!side[static_cast<std::size_t>(from)]) continue;
      for (int to = 0; to < p_; ++to) sum += side[static_cast<std::size_t>(to)] ? 0 : layout_.size(Rank(from), to);
    }
    return sum;
  }

  const CallLayout& layout_;
  std::int64_t count_;
  int p_;
};

/// The links on one side of something, taken together.
struct Ports {
  double bandwidth = 0;  ///< bytes/s
  Time least_latency = Time::max();

  void add(const Ports& more) {
    bandwidth += more.bandwidth;
    least_latency = std::min(least_latency, more.least_latency);
  }
};

Ports ports_of(const Fabric& fabric, LinkId link) { return {fabric.bandwidth(link).bytes_per_second(), fabric.latency(link)}; }

class Bound {
 public:
  Bound(const Fabric& fabric, const CallLayout& layout, double bytes_per_element)
      : alpha_((fabric.settings().alpha + fabric.host_links()).seconds()),
        count_(layout.count()),
        bytes_per_element_(bytes_per_element) {}

  void at_least(double seconds, const std::string& reason) {
    if (seconds > bound_.seconds) bound_ = {seconds, reason};
  }
  /// So many elements `must_move` through these links, the last of them in a message that arrives their latency later.
  template <class Reason>
  void must_pass(double elements, const Ports& links, Reason must_move) {
    if (elements <= 0) return;
    const double seconds = alpha_ + links.least_latency.seconds() + elements * bytes_per_element_ / links.bandwidth;
    if (seconds > bound_.seconds) bound_ = {seconds, part_text(elements) + " must " + must_move()};
  }
  double alpha() const { return alpha_; }
  LowerBound result() const { return bound_; }

 private:
  std::string part_text(double elements) const {
    const double vectors = elements / static_cast<double>(count_);
    if (vectors == 1) return "the whole vector";
    return vectors < 1 ? fmt::format("{:.3g} of the vector", vectors) : fmt::format("{:g} times the vector", vectors);
  }

  double alpha_;
  std::int64_t count_;
  double bytes_per_element_;
  LowerBound bound_;
};

/// The way between two ranks that depend on each other; zero where it is no longer than `claimed` seconds.
Time needed_latency(const Fabric& fabric, const Placement& placement, const CallLayout& layout, const Demand& demand,
                    double claimed) {
  using Way = Latencies::Way;
  Time longest;
  const auto look = [&](const std::vector<Time>& latency, auto matters) {
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      const VertexId endpoint = placement[static_cast<std::size_t>(rank)];
      if (matters(rank)) longest = std::max(longest, latency[static_cast<std::size_t>(endpoint)]);
    }
  };
  if (has_root(layout.collective())) {
    const int root = layout.root().value();
    const VertexId endpoint = placement[static_cast<std::size_t>(root)];
    if (demand.leaving(root) > 0)
      look(Latencies(fabric, Way::from).of(endpoint), [&](int rank) { return demand.depends(rank, root); });
    else
      look(Latencies(fabric, Way::to).of(endpoint), [&](int rank) { return demand.depends(root, rank); });
    return longest;
  }
  // By way of the first rank no way is shorter: two searches, where each rank would be one.
  const auto farthest = [&](const std::vector<Time>& latency) {
    Time most;
    for (const VertexId endpoint : placement) most = std::max(most, latency[static_cast<std::size_t>(endpoint)]);
    return most.seconds();
  };
  const Latencies from(fabric, Way::from);
  const double from_first = farthest(from.of(placement.front()));
  if (from_first <= claimed && from_first + farthest(Latencies(fabric, Way::to).of(placement.front())) <= claimed)
    return Time();
  if (demand.is_mutual()) return longest_latency(from, placement);
  // Any pair gives a bound: where looking from all would take too long, from some.
  const std::int64_t most = std::max<std::int64_t>(1, kMostLatencySteps / std::max<std::int64_t>(1, from.steps()));
  for (int rank = 0; rank < std::min<std::int64_t>(layout.ranks(), most); ++rank) {
    look(from.of(placement[static_cast<std::size_t>(rank)]), [&](int other) { return demand.depends(other, rank); });
  }
  return longest;
}

enum class Way { out, in };

/// By vertex.
using AllPorts = std::vector<Ports>;

void bound_by_ports(Bound& bound, const AllPorts& ports, const Placement& placement, const Demand& demand, Way way,
                    Arithmetic arithmetic) {
  const char* verb = way == Way::out ? "leave" : "enter";
  Ports all;
  double by_ranks = 0;
  for (std::size_t r = 0; r < placement.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const Ports& own = ports[static_cast<std::size_t>(placement[r])];
    all.add(own);
    const std::int64_t elements = way == Way::out ? demand.leaving(rank) : demand.entering(rank);
    by_ranks += static_cast<double>(elements);
    bound.must_pass(static_cast<double>(elements), own, [&] { return fmt::format("{} the endpoint of rank {}", verb, rank); });
  }
  bound.must_pass(arithmetic == Arithmetic::switches ? by_ranks : demand.altogether(), all,
                  [&] { return fmt::format("{} the ranks' endpoints", verb); });
}

void bound_by_ports(Bound& bound, const Fabric& fabric, const Placement& placement, const Demand& demand,
                    Arithmetic arithmetic) {
  const Topology& topology = fabric.topology();
  AllPorts out(static_cast<std::size_t>(topology.endpoints() + topology.switches())), in(out.size());
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const Ports one = ports_of(fabric, link);
    out[static_cast<std::size_t>(ends.from)].add(one);
    in[static_cast<std::size_t>(ends.to)].add(one);
  }
  bound_by_ports(bound, out, placement, demand, Way::out, arithmetic);
  bound_by_ports(bound, in, placement, demand, Way::in, arithmetic);
}

/// By vertex: whether it is in the upper half of a dimension. A switch is where more of its links lead: whichever side it is
/// on, what must cross has to cross, and there it crosses fewer links.
CutSide upper_half(const Topology& topology, const Grid& grid, int dimension) {
  const int middle = grid.dims()[static_cast<std::size_t>(dimension)] / 2;
  const auto is_upper = [&](VertexId endpoint) { return grid.coordinate(Rank(endpoint), dimension) >= middle; };
  CutSide upper;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) upper.push_back(is_upper(endpoint));
  if (topology.switches() == 0) return upper;
  std::vector<int> leaning(static_cast<std::size_t>(topology.switches()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.from < topology.endpoints() || ends.to >= topology.endpoints()) continue;
    leaning[static_cast<std::size_t>(ends.from - topology.endpoints())] += is_upper(ends.to) ? 1 : -1;
  }
  for (int lean : leaning) upper.push_back(lean > 0);
  return upper;
}

void bound_by_half_cuts(Bound& bound, const Fabric& fabric, const Placement& placement, const Demand& demand) {
  const Topology& topology = fabric.topology();
  const Grid* grid = topology.grid();
  if (grid == nullptr) return;
  for (int d = 0; d < grid->dimensions(); ++d) {
    const CutSide upper_vertices = upper_half(topology, *grid, d);
    const auto is_upper = [&](VertexId v) { return upper_vertices[static_cast<std::size_t>(v)]; };
    std::array<Ports, 2> crossing;  // up, down
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      if (is_upper(ends.from) != is_upper(ends.to)) crossing[is_upper(ends.from) ? 1 : 0].add(ports_of(fabric, link));
    }
    CutSide upper(placement.size());
    std::transform(placement.begin(), placement.end(), upper.begin(), is_upper);
    if (std::count(upper.begin(), upper.end(), true) % static_cast<std::ptrdiff_t>(placement.size()) == 0) continue;
    const auto reason = [&] { return fmt::format("cross the middle of dimension {}", d); };
    bound.must_pass(static_cast<double>(demand.across(upper)), crossing[1], reason);
    upper.flip();
    bound.must_pass(static_cast<double>(demand.across(upper)), crossing[0], reason);
  }
}

}  // namespace

LowerBound lower_bound(const Fabric& fabric, const Placement& placement, const CallLayout& layout, double bytes_per_element,
                       Arithmetic arithmetic, double claimed) {
  if (placement.size() < 2) return {};
  if (layout.collective() != Collective::barrier && layout.count() == 0) return {};
  const Demand demand(layout);
  Bound bound(fabric, layout, bytes_per_element);
  if (layout.collective() == Collective::barrier || demand.altogether() > 0) {
    bound.at_least(bound.alpha() + needed_latency(fabric, placement, layout, demand, claimed - bound.alpha()).seconds(),
                   "a message between the ranks that are farthest apart takes as long");
  }
  bound_by_ports(bound, fabric, placement, demand, arithmetic);
  bound_by_half_cuts(bound, fabric, placement, demand);
  return bound.result();
}

}  // namespace heddle::emu
