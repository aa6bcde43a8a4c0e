// SPDX-License-Identifier: Apache-2.0
// Flows that load links while a run's messages are under way, without an end and without a rank to wait for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/network/max_min.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

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

}  // namespace heddle::emu
