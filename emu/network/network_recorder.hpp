// SPDX-License-Identifier: Apache-2.0
// The one sink of what a network does, whichever model it is: what each link carried, when it was busy, and how many messages met
// there; and of its flows with their rates it tells the run's sinks.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "emu/network/max_min.hpp"
#include "emu/record/record_sink.hpp"
#include "emu/record/report.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::emu {

class NetworkRecorder {
 public:
  /// All outlive the recorder. Trunks are links here, until their links are reported.
  explicit NetworkRecorder(const Topology& topology, std::span<RecordSink* const> sinks = {})
      : topology_(topology),
        sinks_(sinks_among(sinks, true)),
        links_(static_cast<std::size_t>(topology.links() + topology.trunks())) {}

  // ---- links ----

  void carry(LinkId link, double bytes) { links_[static_cast<std::size_t>(link)].bytes += bytes; }

  /// A message of `round` is in the link from now on, `flows` of them in all.
  void enter(LinkId id, Time now, int flows, int round) {
    Link& link = links_[static_cast<std::size_t>(id)];
    if (flows == 1) link.busy_since = now;
    if (flows > link.peak_flows) link.peak_flows = flows;
    note_round_peak(round, flows);
  }

  /// A message has left the link, and `flows` remain.
  void leave(LinkId id, Time now, int flows) {
    Link& link = links_[static_cast<std::size_t>(id)];
    if (flows == 0) link.busy += now - link.busy_since;
  }

  /// So many parts of messages meet at a link, the last of them of `round`.
  void meet(LinkId id, int flows, int round) {
    Link& link = links_[static_cast<std::size_t>(id)];
    link.peak_flows = std::max(link.peak_flows, flows);
    note_round_peak(round, flows);
  }
  /// A link is busy for so long with so many bytes.
  void send(LinkId id, double bytes, Time busy) {
    links_[static_cast<std::size_t>(id)].bytes += bytes;
    links_[static_cast<std::size_t>(id)].busy += busy;
  }

  /// Messages of `round` are in links that were free, all from now on. `loads`, by link: how many `flows`, of how many `bytes`.
  template <class Loads>
  void enter_together(const Loads& loads, Time now, int round) {
    int most = 0;
    for (std::size_t id = 0; id < links_.size(); ++id) {
      if (loads[id].flows == 0) continue;
      Link& link = links_[id];
      link.bytes += loads[id].bytes;
      link.busy_since = now;
      link.peak_flows = std::max(link.peak_flows, loads[id].flows);
      most = std::max(most, loads[id].flows);
    }
    note_round_peak(round, most);
  }

  /// All of them have left.
  template <class Loads>
  void leave_together(const Loads& loads, Time now) {
    for (std::size_t id = 0; id < links_.size(); ++id)
      if (loads[id].flows > 0) links_[id].busy += now - links_[id].busy_since;
  }

  /// Messages of `round` have been in links that were free, and have left them. `loads` as above; `busy`, by link: so long.
  template <class Loads>
  void cross(std::span<const LinkId> used, const Loads& loads, std::span<const Time> busy, int round) {
    int most = 0;
    for (const LinkId id : used) {
      const auto link = static_cast<std::size_t>(id);
      links_[link].bytes += loads[link].bytes;
      links_[link].busy += busy[link];
      links_[link].peak_flows = std::max(links_[link].peak_flows, loads[link].flows);
      most = std::max(most, loads[link].flows);
    }
    note_round_peak(round, most);
  }

  /// From now on the links of a trunk carry these parts of what it carries; evenly, until this says otherwise.
  void part(LinkId trunk, std::vector<double> parts) {
    Link& whole = links_[static_cast<std::size_t>(trunk)];
    const Trunk members = topology_.trunk(trunk);
    for (int i = 0; i < members.count; ++i)
      links_[static_cast<std::size_t>(members[i])].bytes += whole.bytes * part_of(trunk, members, i);
    whole.bytes = 0;
    parts_[trunk] = std::move(parts);
  }

  std::vector<LinkReport> links() const {
    std::vector<LinkReport> reports;
    reports.reserve(static_cast<std::size_t>(topology_.links()));
    for (LinkId id = 0; id < topology_.links(); ++id) {
      const Link& link = links_[static_cast<std::size_t>(id)];
      reports.push_back({id, Bytes(std::llround(link.bytes)), link.busy, link.peak_flows});
    }
    for (LinkId id = topology_.links(); static_cast<std::size_t>(id) < links_.size(); ++id) report_trunk(id, reports);
    return reports;
  }

  /// The most flows on one link when a message of a round entered it; index 0 is round 1.
  const std::vector<int>& round_peaks() const { return round_peaks_; }

  // ---- flows ----

  bool keeps_flows() const { return !sinks_.empty(); }
  void begin(FlowId flow, const FlowStart& start, std::span<const LinkId> links, Time now) {
    for (RecordSink* sink : sinks_) sink->begin_flow(flow, start, links, now);
  }
  void rate(FlowId flow, double bytes_per_second, Time now) {
    for (RecordSink* sink : sinks_) sink->rate_of_flow(flow, bytes_per_second, now);
  }
  void end(FlowId flow, Time now) {
    for (RecordSink* sink : sinks_) sink->end_flow(flow, now);
  }

 private:
  void note_round_peak(int round, int flows) {
    if (static_cast<std::size_t>(round) > round_peaks_.size()) round_peaks_.resize(static_cast<std::size_t>(round));
    int& peak = round_peaks_[static_cast<std::size_t>(round) - 1];
    peak = std::max(peak, flows);
  }

  struct Link {
    double bytes = 0;  ///< a double counts whole bytes, and halves of split messages, exactly up to 2^52
    Time busy;
    Time busy_since;
    int peak_flows = 0;
  };

  double part_of(LinkId trunk, const Trunk& members, int i) const {
    const auto parts = parts_.find(trunk);
    return parts == parts_.end() ? 1.0 / members.count : parts->second[static_cast<std::size_t>(i)];
  }

  /// Each of its links has carried its part; one that a stream named by itself, that besides.
  void report_trunk(LinkId id, std::vector<LinkReport>& reports) const {
    const Link& whole = links_[static_cast<std::size_t>(id)];
    const bool is_even = !parts_.contains(id);
    if (whole.bytes == 0 && is_even) return;
    const Trunk trunk = topology_.trunk(id);
    for (int i = 0; i < trunk.count; ++i) {
      LinkReport& report = reports[static_cast<std::size_t>(trunk[i])];
      report.bytes += Bytes(std::llround(is_even ? whole.bytes / trunk.count : whole.bytes * part_of(id, trunk, i)));
      if (!is_even && report.bytes == Bytes(0)) continue;
      report.busy = std::max(report.busy, whole.busy);
      report.peak_flows = std::max(report.peak_flows, whole.peak_flows);
    }
  }

  const Topology& topology_;
  std::vector<RecordSink*> sinks_;  ///< that keep times
  std::vector<Link> links_;
  std::vector<int> round_peaks_;
  std::map<LinkId, std::vector<double>> parts_;  ///< of trunks whose links are unequal
};

}  // namespace heddle::emu
