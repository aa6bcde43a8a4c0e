// SPDX-License-Identifier: Apache-2.0
// What a trace is made of: events, and the tracks that they stand on: ranks, loads of links, messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::pictures {

// The stream of a trace's events, and how they write times.

/// Microseconds, as the format has them, with all picoseconds: 1.000001.
inline double trace_time(Time time) { return static_cast<double>(time.ps()) / 1e6; }

/// Processes of a trace: what its tracks are grouped by.
enum class TraceGroup : std::uint8_t { ranks = 1, links = 2, switches = 3 };

class TraceEvents {
 public:
  using Json = nlohmann::ordered_json;

  explicit TraceEvents(std::ostream& out) : out_(out) {}

  /// "M": names and orders tracks.
  void name_group(TraceGroup group, std::string_view name);
  void name_track(TraceGroup group, std::int64_t track, std::string_view name);
  /// "B" and "E": a stretch of time on a track. Ends and beginnings of one instant are the same number, whatever a reader
  /// rounds it to.
  void begin(TraceGroup group, std::int64_t track, Time at, std::string_view name, std::string_view category, Json arguments);
  void end(TraceGroup group, std::int64_t track, Time at);
  /// "X": a message for as long as it takes, which a flow's arrow holds on to.
  void slice(TraceGroup group, std::int64_t track, Time at, Time duration, std::string_view name, std::string_view category,
             Json arguments);
  /// `phase` "s" or "f": an arrow's start or end at the beginning of the slice written just before.
  void flow(const char* phase, std::int64_t track, Time at, std::int64_t id);
  /// "C": a link's load from now on.
  void counter(TraceGroup group, Time at, std::string_view name, Json values);

 private:
  static Json event(const char* phase, TraceGroup group, std::optional<std::int64_t> track = std::nullopt,
                    std::optional<Time> at = std::nullopt);
  void write(const Json& event);
  /// With what it is called; without a category or arguments where these are empty.
  void write(Json event, std::string_view name, std::string_view category, Json arguments);

  std::ostream& out_;
  bool first_ = true;
};

// What is on at the same time needs several tracks: a track's slices must not overlap.

/// A slice of a track.
struct Stretch {
  Time begin;
  Time end;
};

/// For each of them, which lane it is in, from 0 on: those of a lane do not overlap, and there are as few lanes as there can be.
/// They come by their beginning.
std::vector<std::size_t> lanes_of(std::span<const Stretch> stretches);

/// "rank 3, sends", of further lanes "rank 3, sends (2)".
std::string lane_name(const std::string& name, std::size_t lane);

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

/// "wait", "concurrently", "split", "in_network" or "work": a trace's category, and what a page calls it.
const char* kind_text(SpanRecord::Kind kind);

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
