// SPDX-License-Identifier: Apache-2.0
// Tracks of a trace: loads of links, and messages.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "show/trace/trace_events.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::pictures {

// The load of each link over time.

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

// Messages as slices: what they are called, and what is said of each.

/// Messages count from 1 in a trace: a flow's id 0 is none for some readers.
inline std::int64_t message_number(std::uint32_t message) { return std::int64_t{message} + 1; }

/// Where a message's time went, in microseconds.
nlohmann::ordered_json anatomy(const MessageRecord& message);

/// "reduce-scatter", of a part of one "inner allreduce / reduce-scatter"; empty: of none.
std::string phase_text(const Timeline& timeline, std::uint32_t phase);

/// "allreduce of 8 ranks", of an operation of the switches.
std::string operation_text(const OperationRecord& operation);

/// Messages (by record) that go out of a rank's port, or come into it.
struct PortMessages {
  std::vector<std::uint32_t> sent;
  std::vector<std::uint32_t> received;
};

/// The tracks of a rank's port, from `track` on: its sends, from their start-up until they have left, and what it receives, from
/// the first byte to the last; the end of the arrow that leads from one to the other is in each. The next free track.
std::int64_t write_port(const Timeline& timeline, int rank, PortMessages& messages, std::int64_t track, TraceEvents& events);

/// A track for each link and trunk that carried something, further ones where messages share it: each message as long as it was
/// in the link.
void write_messages_in_links(const Timeline& timeline, const Topology& topology, TraceEvents& events);

}  // namespace heddle::pictures
