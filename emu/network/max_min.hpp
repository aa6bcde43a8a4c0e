// SPDX-License-Identifier: Apache-2.0
// Weighted max-min fair rates of flows on shared links. No time here: only who gets how much.
//
// Rates are max-min fair when no flow's rate per weight can grow without shrinking that of a flow that has no more.
// Equivalently (Bertsekas and Gallager, Data Networks, §6.5.2): every flow has a bottleneck, a saturated link on which no flow
// has more per weight.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle::emu {

using FlowId = std::uint32_t;

/// Networks reckon in bytes per picosecond.
inline constexpr double kPicosecondsPerSecond = 1e12;

/// Levels of which one is at most this part larger than the other differ by rounding alone, and are one: symmetric flows must get the same
/// rate to the last bit.
inline constexpr double kSameLevel = 1e-12;

/// Keeps rates fair while flows come and go; a solve touches only the links and flows that a change can reach.
class MaxMin {
 public:
  /// Capacities by link, in any unit of rate; infinity is allowed.
  /// `is_to_stop` is asked during long solves: once it says so, no rate is known any more.
  explicit MaxMin(std::vector<double> capacity, std::function<bool()> is_to_stop = {});

  /// A flow over `links` (each at most once), which shares a link in proportion to `weight` > 0. Its rate is 0 until solve().
  FlowId add(std::span<const LinkId> links, double weight);
  /// A flow that takes use > 0 times its rate of each link's capacity; its weight is 1.
  struct Use {
    LinkId link;
    double use;
  };
  FlowId add(std::span<const Use> uses);
  /// A flow of which the links are kept elsewhere, for as long as no flow that is added here meets it there.
  FlowId add_apart(double weight, double rate);
  /// From now on it is a flow over `links`, with the rate that it has. Changes no rate.
  void join(FlowId flow, std::span<const LinkId> links);
  /// The next solve() looks at the link: a flow that was kept elsewhere has left it.
  void disturb(LinkId link);
  void remove(FlowId flow);
  /// One more link; its number.
  LinkId add_link(double capacity);
  LinkId links() const { return static_cast<LinkId>(links_.size()); }
  /// From the next solve() on.
  void set_capacity(LinkId link, double capacity);

  /// Makes all rates fair again. The flows whose rate is not what it was, in a deterministic order; valid until the next call.
  std::span<const FlowId> solve();

  bool is_idle() const { return flows_.size() == free_flows_.size(); }
  double capacity(LinkId link) const { return links_[link].capacity; }
  double rate(FlowId flow) const { return flows_[flow].rate; }
  double weight(FlowId flow) const { return flows_[flow].weight; }
  /// Those over a link, by number.
  std::vector<FlowId> flows_over(LinkId link) const;
  int flows_on(LinkId link) const { return static_cast<int>(links_[link].entries.size()); }

  struct Hop {
    LinkId link;
    std::uint32_t position;  ///< of the flow among the link's entries
  };
  std::span<const Hop> hops(FlowId flow) const { return {hops_.data() + flows_[flow].first_hop, flows_[flow].hop_count}; }

 private:
  struct Entry {
    FlowId flow;
    std::uint32_t hop;  ///< index into hops_
  };

  using Entries = boost::container::small_vector<Entry, 1>;

  /// One cache line, while it carries one flow: thousands are in use at one timestamp.
  struct alignas(64) Link {
    double capacity;
    Entries entries;
    // Scratch of a solve.
    double left = 0;    ///< capacity not yet given out
    double weight = 0;  ///< of the flows without a rate yet
    std::uint32_t undecided = 0;
    std::uint32_t epoch = 0;
  };
  static_assert(sizeof(Link) == 64);

  struct Flow {
    double weight;
    double rate;
    std::uint32_t first_hop;
    std::uint32_t hop_count : 31;
    std::uint32_t has_uses : 1;  ///< it takes uses_[hop] times its rate, not once
    std::uint32_t epoch;         ///< of the solve that last reached it
    std::uint32_t decided;       ///< of the solve that last gave it a rate
  };

  /// A link, or a flow's own narrowest unshared link, and the rate per weight at which it is full.
  struct Constraint {
    double level;
    std::uint32_t index;
    bool is_flow;
  };

  /// What a flow takes of a link's capacity per rate.
  double use(const Flow& flow, std::uint32_t hop) const { return flow.has_uses ? uses_[hop] : 1; }
  void enter(LinkId link, FlowId flow, std::uint32_t hop);

  FlowId new_flow();
  std::uint32_t take_hops(std::uint32_t count);
  void give_hops_back(std::uint32_t first, std::uint32_t count);

  void reach(LinkId link);
  void reach_through(FlowId flow);
  void reach_everything_coupled();
  void fill();
  void decide(FlowId flow, double level);
  /// So much more has been done.
  bool is_to_stop_after(std::size_t work);
  void set_rate(FlowId flow, double rate);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<FlowId> free_flows_;
  std::vector<Hop> hops_;
  std::vector<double> uses_;                           ///< by hop, as far as there are flows that have them
  std::vector<std::vector<std::uint32_t>> free_hops_;  ///< by size class: 2^i hops

  std::vector<FlowId> added_;
  std::vector<LinkId> disturbed_;  ///< shared links that a flow has joined or left
  std::uint32_t epoch_ = 0;
  std::vector<LinkId> reached_links_;
  std::vector<FlowId> reached_flows_;
  std::vector<Constraint> constraints_;
  std::vector<FlowId> changed_;
  std::size_t undecided_flows_ = 0;
  std::function<bool()> is_to_stop_;
  std::size_t unasked_ = 0;  ///< work since it was last asked
};

}  // namespace heddle::emu
