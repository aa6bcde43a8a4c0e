// SPDX-License-Identifier: Apache-2.0
// What FluidNetwork keeps of messages that start in lockstep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "emu/network/fluid_network.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::emu {

// The max-min fair rates of flows that all start at one timestamp, over links that carry nothing else: the rounds of a
// collective in which all ranks send. The same rates as those of MaxMin, to the last bit, without a list of flows for each
// link.
//
// A flow is a few runs of links (topo/fabric/topology.hpp), however long its way. What flows over each link is added up from where runs
// begin and end:
//
//     run 2 … 5:  +1 at 2, -1 at 6      run 4 … 7:  +1 at 4, -1 at 8      sum from the left:  0 0 1 1 2 2 1 1 0
//
// The links whose share per weight is least are full first; each flow over one of them has its rate, and what these leave to the
// others is shared in turn. Symmetric flows need one or two such levels. In the same way, whether a run crosses a full link is the
// difference of two sums. So a level costs as much as there are flows and links, not as much as all ways are long.

class LockstepRates {
 public:
  explicit LockstepRates(std::size_t links) : links_(links) {}

  /// No flows. Keeps its memory.
  void clear();

  /// A flow over these links (each at most once) that shares a link in proportion to `weight`, a power of two, and carries so many
  /// bytes.
  void add(std::span<const LinkRun> runs, double weight, double bytes);
  std::size_t flows() const { return flows_.size(); }
  /// False: solve() will say false, or nearly always would; no need to add the others.
  bool is_simple() const { return is_simple_; }

  /// The rates of all flows. False where MaxMin might find others, be it in the last bit: then nothing is known.
  /// `capacity` is by link, in any unit of rate.
  /// `is_to_stop` is asked now and then: false then, too.
  bool solve(std::span<const double> capacity, const std::function<bool()>& is_to_stop = {});

  // ---- once solved ----

  double rate(std::size_t flow) const { return rates_[flow]; }
  std::span<const LinkRun> runs(std::size_t flow) const {
    return std::span(runs_).subspan(flows_[flow].first_run, flows_[flow].runs);
  }

  struct Load {
    std::int32_t flows = 0;
    std::int32_t units = 0;  ///< weight of these flows, in that of the lightest kind of flow
    double bytes = 0;
  };
  /// By link: what flows over it.
  std::span<const Load> loads() const { return loads_; }

 private:
  static constexpr std::size_t kMostKinds = 64;
  static constexpr std::size_t kMostStrides = 8;
  static constexpr int kMostLevels = 8;

  /// Flows of the same weight and size.
  struct Kind {
    double weight;
    double bytes;
    std::int32_t units = 0;
  };
  struct Flow {
    std::uint32_t first_run;
    std::uint16_t runs;
    std::uint16_t kind;
  };
  using Flows = std::vector<std::uint32_t>;
  /// Of a link, the flows that have no rate yet.
  struct Rest {
    std::int32_t flows = 0;
    std::int32_t units = 0;
  };
  static double level_of(double left, const Rest& rest, double quantum) { return left / (rest.units * quantum); }

  std::uint16_t kind_of(double weight, double bytes);
  void note_stride(std::int32_t stride);
  bool count_units();
  void add_up(std::vector<Load>& loads, const Flows* some);
  bool bytes_are_exact() const;
  double least_level() const;
  bool mark_full(double level);
  bool stays_full(double left, const Rest& rest, double level) const;
  bool crosses_full(const Flow& flow) const;
  bool decide(double level);
  void take_away(double level);

  std::size_t links_;
  std::vector<Kind> kinds_;
  std::vector<Flow> flows_;
  std::vector<LinkRun> runs_;
  std::vector<std::int32_t> strides_;  ///< of runs of several links, all above 0
  bool is_simple_ = true;  ///< few kinds and strides, weights that are powers of two, not too many runs, nor flows on a link
  bool are_alike_ = true;  ///< the weights
  double crossings_ = 0;   ///< of links by flows
  double quantum_ = 1;     ///< the least weight

  std::vector<double> rates_;
  std::vector<Load> loads_;
  // Scratch of solve().
  std::vector<Load> ends_;                       ///< where runs of one stride begin and end
  std::vector<double> left_;                     ///< by link: capacity not yet given out
  std::vector<Rest> rest_;                       ///< by link
  std::vector<std::uint8_t> full_;               ///< by link
  std::vector<std::vector<std::int32_t>> sums_;  ///< by stride and link: of full_, from the beginning of its line
  std::vector<Load> decided_loads_;
  Flows undecided_;
  Flows decided_;
};

struct FluidNetwork::Lockstep {
  /// What the messages on their paths have in common.
  struct Kind {
    double share;  ///< of the message
    double bytes;
    Time alone;
    Time latency;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct Flow {
    std::uint32_t start;  ///< its message among those that start
    std::uint32_t kind;
  };

  LockstepRates rates;
  std::vector<double> capacity;  ///< by link
  RunRoute route;
  std::vector<Kind> kinds;
  std::vector<Flow> flows;
  std::vector<FlowId> ids;    ///< by flow
  std::vector<FlowId> ended;  ///< in that order

  // Of those that cross the network and are not sent.
  std::vector<Sending> crossing;  ///< as they were last time
  bool is_known = false;          ///< what they take
  Crossings crossings;
  std::vector<LinkId> used;
  std::vector<Time> busy;  ///< by link, of those: so long

  explicit Lockstep(std::size_t links) : rates(links) {}

  void clear() {
    rates.clear();
    kinds.clear();
    flows.clear();
    ids.clear();
    ended.clear();
  }

  std::uint32_t number_of(const Kind& kind) {
    const auto known = std::find(kinds.rbegin(), kinds.rend(), kind);
    if (known != kinds.rend()) return static_cast<std::uint32_t>(kinds.rend() - known - 1);
    kinds.push_back(kind);
    return static_cast<std::uint32_t>(kinds.size() - 1);
  }

  template <class Use>
  void for_each_link(std::uint32_t flow, const Use& use) const {
    for (const LinkRun& run : rates.runs(flow))
      for (std::int32_t i = 0; i < run.count; ++i) use(run[i]);
  }
};

}  // namespace heddle::emu
