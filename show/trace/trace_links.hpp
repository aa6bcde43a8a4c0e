// SPDX-License-Identifier: Apache-2.0
// The load of each link over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "show/trace/trace_events.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::pictures {

/// A link's load from a time on.
struct LinkLoadStep {
  Time time;
  int flows = 0;
  std::int64_t bytes_per_second = 0;

  bool operator==(const LinkLoadStep&) const = default;
};

/// Flows by link, for load_steps; a link or trunk that carried nothing has none.
class FlowsByLink {
 public:
  /// `timeline` outlives this.
  explicit FlowsByLink(const Timeline& timeline);

  /// Ascending.
  const std::vector<LinkId>& links() const { return links_; }
  /// One step for each instant at which the load of the i-th of links() changes; the last is without load.
  std::vector<LinkLoadStep> steps(std::size_t i) const;

 private:
  const Timeline& timeline_;
  std::vector<LinkId> links_;
  std::vector<std::size_t> first_flow_;  ///< by link, into flows_; and the end
  std::vector<std::uint32_t> flows_;
  std::vector<std::size_t> first_rate_;  ///< by flow, into rates_; and the end
  std::vector<std::uint32_t> rates_;     ///< by flow, then as they come
};

/// "(0,0)->(0,1)", of a trunk "leaf0->spine0 to leaf0->spine3 (4 links)".
std::string link_or_trunk_name(const Topology& topology, LinkId link);

/// What faults leave links of their bandwidth, in percent: a counter for each link that has one, beside its load.
void write_link_faults(const std::vector<LinkFault>& faults, const Topology& topology, TraceEvents& events);

void write_link_loads(const Timeline& timeline, const Topology& topology, TraceEvents& events);

}  // namespace heddle::pictures
