// SPDX-License-Identifier: Apache-2.0
// Messages as fluids: each drains at its max-min fair rate, then arrives after the latency of its path (docs/model.md).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/network/max_min.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::emu {

// When each flow will have drained, and which are the next: a tournament of times over the flows' numbers. Where thousands of
// rates change at once, thousands of times do, and all but the earliest may change again before anything happens: so they are
// kept here and written over, and the engine hears of the earliest alone.

class DrainTimes {
 public:
  void set(FlowId flow, Time time) { write(flow, time.ps()); }
  void remove(FlowId flow) { write(flow, kNever); }

  /// Whether this flow drains at this time.
  bool is(FlowId flow, Time time) const { return flow < leaves_ && tree_[leaves_ + flow] == time.ps(); }

  bool empty();
  /// The earliest. Not for an empty one.
  Time next();
  /// The flows that drain then, by number, instead of what `flows` held.
  void due(std::vector<FlowId>& flows);

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  void write(FlowId flow, std::int64_t time);
  void grow(std::size_t leaves);
  void play();

  /// Node i has children 2i and 2i + 1 and is the lesser of the two; 1 is the root, flow f is leaf leaves_ + f.
  std::vector<std::int64_t> tree_{kNever, kNever};
  std::size_t leaves_ = 1;         ///< a power of two
  std::vector<FlowId> written_;    ///< leaves that their parents do not know of yet
  std::vector<std::size_t> path_;  ///< scratch of due()
};

// Flows that load links while a run's messages are under way, without an end and without a rank to wait for them.

/// A flow of a limited rate crosses, besides the fabric's links, one that is its own and has that capacity: max-min fairness
/// then gives it no more. Flows without a limit take what the others leave them.
class BackgroundTraffic {
 public:
  /// `first_cap`: the number of the first link that is not the fabric's.
  BackgroundTraffic(const Fabric& fabric, std::span<const BackgroundFlow> flows, LinkId first_cap);

  /// Bytes per picosecond of the links that limit flows, the first of them number `first_cap`.
  const std::vector<double>& caps() const { return caps_; }

  /// Adds all flows. They are the first of `max_min`, and stay.
  void start(MaxMin& max_min);

  bool has(FlowId flow) const { return flow < parts_.size(); }
  /// How many of a link's flows are in the background.
  int flows_on(LinkId link) const { return on_link_.empty() ? 0 : on_link_[static_cast<std::size_t>(link)]; }
  /// From `now` on a flow has this rate.
  void set_rate(FlowId flow, double bytes_per_picosecond, Time now);

  /// What each flow has carried by `end`, no earlier than the last change of a rate.
  std::vector<BackgroundReport> report(Time end) const;

 private:
  /// A flow on one path.
  struct Part {
    std::vector<LinkId> links;
    double share;
    std::size_t flow;  ///< of those asked for
    double carried = 0;
    double rate = 0;  ///< since `since`
    Time since = {};
  };

  void add_part(std::vector<LinkId> links, double share, std::size_t flow);

  std::size_t flows_;
  std::vector<double> caps_;
  std::vector<Part> parts_;            ///< by FlowId
  std::vector<std::int32_t> on_link_;  ///< by link and trunk; empty: none at all
};

/// A message over several paths is one flow per path, with its share of the bytes and, where it meets others, of the weight.
class FluidNetwork final : public Network, private Alarm {
 public:
  /// All references must outlive the network.
  FluidNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder, const NetworkLoad& load);
  ~FluidNetwork() override;

  void send(const Sending& sending) override { starts_.push_back(sending); }
  const Crossings* crossings_of(std::span<const Sending> starts) override;
  void note_crossed(int round) override;
  void stream(const Streaming& streaming) override;
  bool end_timestamp() override;
  Time latency(MessageId message) const override { return passages_[message].latency; }
  void add_to(Report& report) const override { report.background = background_.report(report.completion); }

 private:
  static constexpr Time kNever = Time::ps(-1);
  static constexpr LinkId kNoBottleneck = -1;

  /// One path's part of a message, until it has drained.
  struct Transfer {
    double remaining = 0;  ///< bytes
    double rate = 0;       ///< bytes per picosecond, since `since`
    Time since;
    Time latency;             ///< of the path, to be paid once drained
    Time alone;               ///< it would drain in that time
    Time announced = kNever;  ///< the drain time that the engine last got; another one may hold by then
    MessageId message = 0;    ///< or the number of the stream
    bool is_stream = false;
  };

  struct Passage {
    Time arrival;  ///< the latest of its paths so far
    Time latency;  ///< of that path
    std::uint32_t transfers = 0;

    /// One of its paths drains now.
    void drain(Time now, Time its_latency) {
      if (now + its_latency < arrival) return;
      arrival = now + its_latency;
      latency = its_latency;
    }
  };

  /// Rings when links change.
  class LinkAlarm final : public Alarm {
   public:
    explicit LinkAlarm(FluidNetwork& network) : network_(network) {}
    void on_timer(std::uint64_t) override { network_.links_change(); }

   private:
    FluidNetwork& network_;
  };

  struct StreamStart {
    Streaming streaming;  ///< its links are those below
    std::vector<StreamLink> links;
  };

  bool has_unsolved() const { return !starts_.empty() || !stream_starts_.empty() || removed_; }
  void solve();
  /// Asked before the i-th of many.
  bool is_to_stop_before(std::size_t i);
  void on_timer(std::uint64_t payload) override;
  void start_message(const Sending& start);
  void start_transfer(const Sending& start, const Route::Path& path, const AlonePath& alone);
  /// False if it has drained at once.
  bool start_stream(const StreamStart& start);
  /// Where a flow's is to be written, member by member: see Mailbox::Fifo::push.
  Transfer& transfer_of_new(FlowId flow);
  void update_rate(FlowId flow);
  int messages_on(LinkId link) const { return max_min_.flows_on(link) - background_.flows_on(link); }
  void announce(std::span<const FlowId> changed);
  void finish(FlowId flow);
  void drained(MessageId message) { client_.drained(message, passages_[message].arrival); }

  // Where all messages on the fabric have started at one timestamp (fluid_network_lockstep.cpp).
  struct Lockstep;
  bool may_start_in_lockstep(std::span<const Sending> starts) const;
  std::unique_ptr<Lockstep> make_lockstep() const;
  bool ways_are_long(std::span<const Sending> starts);
  bool start_in_lockstep(std::span<const Sending> starts);
  bool find_lockstep_rates(std::span<const Sending> starts, Lockstep& all);
  bool find_crossings(std::span<const Sending> starts, Lockstep& all);
  void start_lockstep_flow(const Sending& start, std::size_t flow);
  void settle_lockstep(bool others_start);
  std::span<const FlowId> lockstep_flows() const;
  void note_lockstep_end(FlowId flow);
  void hand_lockstep_over();

  // Where links have faults (fluid_network_faults.cpp).
  void expect_faults();
  void links_change();
  void go_round(FlowId flow);
  void find_way(const Sending& start);
  LinkId bottleneck_of(const Route::Path& path);
  FlowId add_through(std::span<const LinkId> links, LinkId bottleneck, double weight);

  const Fabric& fabric_;
  Engine& engine_;
  NetworkClient& client_;
  FilledRoutes routes_;
  bool latency_only_;
  FaultyLinks* faulty_;  ///< nullptr: all are well
  LinkAlarm link_alarm_{*this};
  AloneTimes& alone_;
  BackgroundTraffic background_;
  MaxMin max_min_;
  LinkId first_bottleneck_;  ///< links of max_min_ from there on are no links of the fabric (FaultyLinks::bottleneck_of)
  NetworkRecorder& recorder_;

  std::unique_ptr<Lockstep> lockstep_;  ///< once there has been any
  bool in_lockstep_ = false;            ///< all messages on the fabric are
  std::unique_ptr<Lockstep> crossed_;   ///< what has crossed it together last

  /// Starts wait for solve(), so that what ends at the same timestamp has made room.
  std::vector<Sending> starts_;
  std::vector<StreamStart> stream_starts_;
  bool removed_ = false;  ///< a flow has ended since the last solve
  Route route_;
  std::vector<Transfer> transfers_;  ///< by flow
  DrainTimes drain_times_;
  Time announced_ = kNever;  ///< the engine knows all flows that drain then, or did when it got that time
  std::vector<FlowId> due_;
  std::vector<Passage> passages_;  ///< by message
  std::vector<Sending> sendings_;  ///< by message; kept where links have faults
};

}  // namespace heddle::emu
