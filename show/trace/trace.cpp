// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/context.hpp"
#include "show/document/run_output.hpp"
#include "show/drawing/picture_file.hpp"

namespace heddle::pictures {

const char* kind_text(SpanRecord::Kind kind) {
  switch (kind) {
    case SpanRecord::Kind::requests:
      return "wait";
    case SpanRecord::Kind::children:
      return "concurrently";
    case SpanRecord::Kind::split:
      return "split";
    case SpanRecord::Kind::in_network:
      return "in_network";
    case SpanRecord::Kind::work:
      break;
  }
  return "work";
}

namespace {

using Json = nlohmann::ordered_json;

/// A slice of a track.
struct Stretch {
  Time begin;
  Time end;
};

// What a trace is made of: events, and the tracks that they stand on.

/// Microseconds, as the format has them, with all picoseconds: 1.000001.
double trace_time(Time time) { return static_cast<double>(time.ps()) / 1e6; }

/// Processes of a trace: what its tracks are grouped by.
enum class TraceGroup : std::uint8_t { ranks = 1, links = 2, switches = 3 };

class TraceEvents {
 public:
  explicit TraceEvents(std::ostream& out) : out_(out) {}

  /// "M": names and orders tracks.
  void name_group(TraceGroup group, std::string_view name) {
    const Json named = event("M", group);
    write(named, "process_name", "", {{"name", name}});
    write(named, "process_sort_index", "", {{"sort_index", static_cast<int>(group)}});
  }
  void name_track(TraceGroup group, std::int64_t track, std::string_view name) {
    const Json named = event("M", group, track);
    write(named, "thread_name", "", {{"name", name}});
    write(named, "thread_sort_index", "", {{"sort_index", track}});
  }

  /// "B" and "E": a stretch of time on a track. Ends and beginnings of one timestamp are the same number, whatever a reader
  /// rounds it to.
  void begin(TraceGroup group, std::int64_t track, Time at, std::string_view name, std::string_view category, Json arguments) {
    write(event("B", group, track, at), name, category, std::move(arguments));
  }
  void end(TraceGroup group, std::int64_t track, Time at) { write(event("E", group, track, at)); }

  /// "X": a message for as long as it takes, which a flow's arrow holds on to.
  void slice(TraceGroup group, std::int64_t track, const Stretch& stretch, std::string_view name, std::string_view category,
             Json arguments) {
    Json sliced = event("X", group, track, stretch.begin);
    sliced["dur"] = trace_time(stretch.end - stretch.begin);
    write(std::move(sliced), name, category, std::move(arguments));
  }

  /// `phase` "s" or "f": an arrow's start or end at the beginning of the slice written just before.
  void flow(const char* phase, std::int64_t track, Time at, std::int64_t id) {
    Json arrow = event(phase, TraceGroup::ranks, track, at);
    arrow.update({{"id", id}, {"name", "message"}, {"cat", "message"}});
    if (*phase == 'f') arrow["bp"] = "e";  // at the slice before, not at the next one
    write(arrow);
  }

  /// "C": a link's load from now on.
  void counter(Time at, std::string_view name, Json values) {
    write(event("C", TraceGroup::links, std::nullopt, at), name, "", std::move(values));
  }

 private:
  static Json event(const char* phase, TraceGroup group, std::optional<std::int64_t> track = std::nullopt,
                    std::optional<Time> at = std::nullopt) {
    Json event = {{"ph", phase}, {"pid", static_cast<int>(group)}};
    if (track) event["tid"] = *track;
    if (at) event["ts"] = trace_time(*at);
    return event;
  }

  void write(const Json& event) {
    // Names of fabrics come from the user; bytes that are not UTF-8 must not lose the trace.
    out_ << (first_ ? "" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
    first_ = false;
  }
  /// With what it is called; without a category or arguments where these are empty.
  void write(Json event, std::string_view name, std::string_view category, Json arguments) {
    event["name"] = name;
    if (!category.empty()) event["cat"] = category;
    if (!arguments.empty()) event["args"] = std::move(arguments);
    write(event);
  }

  std::ostream& out_;
  bool first_ = true;
};

/// For each of them, which lane it is in, from 0 on: those of a lane do not overlap, as a track's slices must not, and there are as
/// few lanes as there can be. They come by their beginning.
std::vector<std::size_t> lanes_of(std::span<const Stretch> stretches) {
  using Lane = std::pair<Time, std::size_t>;  // free from then on
  std::priority_queue<Lane, std::vector<Lane>, std::greater<>> lanes;
  std::vector<std::size_t> of;
  of.reserve(stretches.size());
  for (const Stretch& stretch : stretches) {
    std::size_t lane = lanes.size();
    if (!lanes.empty() && lanes.top().first <= stretch.begin) {
      lane = lanes.top().second;
      lanes.pop();
    }
    lanes.emplace(stretch.end, lane);
    of.push_back(lane);
  }
  return of;
}

/// "(0,0)->(0,1)", of a trunk "leaf0->spine0 to leaf0->spine3 (4 links)".
std::string link_or_trunk_name(const Topology& topology, LinkId link) {
  if (link < topology.links()) return topology.link_name(link);
  const Trunk trunk = topology.trunk(link);
  if (trunk.count == 1) return topology.link_name(trunk.first);
  return fmt::format("{} to {} ({} links)", topology.link_name(trunk.first), topology.link_name(trunk[trunk.count - 1]),
                     trunk.count);
}

/// What faults leave links of their bandwidth, in percent: a counter for each link that has one, beside its load.
void write_link_faults(const std::vector<LinkFault>& faults, const Topology& topology, TraceEvents& events) {
  std::map<LinkId, std::set<Time>> times;
  for (const LinkFault& fault : faults) times[fault.link].insert({Time(), fault.at});
  for (const auto& [link, changes] : times) {
    for (const Time at : changes) {
      double left = 1;
      for (const LinkFault& fault : faults)
        if (fault.link == link && fault.at <= at) left = fault.down ? 0 : std::min(left, 1 / fault.slower);
      events.counter(at, topology.link_name(link) + " fault", {{"percent_of_bandwidth", 100 * left}});
    }
  }
}

/// Messages count from 1 in a trace: a flow's id 0 is none for some readers.
std::int64_t message_number(std::uint32_t message) { return std::int64_t{message} + 1; }

/// "reduce-scatter", of a part of one "inner allreduce / reduce-scatter".
std::string phase_text(const Timeline& timeline, std::uint32_t phase) {
  const NamedPhase& named = timeline.phases[phase];
  return named.within == CriticalPath::kNoRecord ? named.name : phase_text(timeline, named.within) + " / " + named.name;
}

/// "allreduce of 8 ranks", of an operation of the switches.
std::string operation_text(const OperationRecord& operation) {
  return fmt::format("{} of {} ranks", to_string(operation.collective), operation.ranks.size());
}

Json facts(const Timeline& timeline, std::uint32_t m) {
  const MessageRecord& message = timeline.messages[m];
  Json facts = {{"message", message_number(m)}, {"bytes", message.bytes}, {"round", message.round}};
  if (message.source != MessageRecord::kSwitches) facts["tag"] = message.tag;
  if (message.phase != CriticalPath::kNoRecord) facts["phase"] = phase_text(timeline, message.phase);
  return facts;
}

Stretch leaving(const MessageRecord& message) { return {message.started, message.drained}; }

/// The first byte needs as long on its way as the last.
Stretch coming(const MessageRecord& message) {
  return {message.entered + (message.arrived - message.drained), message.arrived};
}

/// Sorted by their beginning: `messages`, and what they take.
template <class StretchOf>
std::vector<Stretch> in_order(const Timeline& timeline, std::vector<std::uint32_t>& messages, StretchOf stretch_of) {
  std::ranges::stable_sort(messages, {}, [&](std::uint32_t m) { return stretch_of(timeline.messages[m]).begin; });
  std::vector<Stretch> stretches;
  for (const std::uint32_t m : messages) stretches.push_back(stretch_of(timeline.messages[m]));
  return stretches;
}

/// Names the tracks of lanes, from `track` on; the next free one.
std::int64_t name_lanes(TraceGroup group, const std::string& name, const std::vector<std::size_t>& lanes, std::int64_t track,
                        TraceEvents& events) {
  const std::size_t count = lanes.empty() ? 0 : *std::ranges::max_element(lanes) + 1;
  for (std::size_t lane = 0; lane < count; ++lane)
    events.name_track(group, track + static_cast<std::int64_t>(lane),
                      lane == 0 ? name : fmt::format("{} ({})", name, lane + 1));
  return track + static_cast<std::int64_t>(count);
}

std::string slice_name(const Timeline& timeline, const MessageRecord& message, std::int64_t bytes) {
  if (message.source == MessageRecord::kSwitches) return operation_text(timeline.operations[message.operation]);
  return fmt::format("{} from {} to {}", to_string(Bytes(bytes)), message.source, message.dest);
}

/// Where a message's time went, in microseconds.
Json anatomy(const MessageRecord& message) {
  return {{"waited_us", trace_time(message.started - message.posted)},
          {"startup_us", trace_time(message.entered - message.started)},
          {"serialisation_us", trace_time(message.full_rate)},
          {"contention_us", trace_time(message.drained - message.entered - message.full_rate)},
          {"propagation_us", trace_time(message.arrived - message.drained)}};
}

/// Messages (by record) that go out of a rank's port, or come into it.
struct PortMessages {
  std::vector<std::uint32_t> sent;
  std::vector<std::uint32_t> received;
};

/// The tracks of a rank's port, from `track` on: its sends, from their start-up until they have left, and what it receives, from
/// the first byte to the last; the end of the arrow that leads from one to the other is in each. The next free track.
std::int64_t write_port(const Timeline& timeline, int rank, PortMessages& messages, std::int64_t track, TraceEvents& events) {
  const auto write = [&](std::vector<std::uint32_t>& of_port, bool are_sent) {
    const std::vector<Stretch> stretches = in_order(timeline, of_port, are_sent ? leaving : coming);
    const std::vector<std::size_t> lanes = lanes_of(stretches);
    const std::string name = fmt::format("rank {}, {}", rank, are_sent ? "sends" : "receives");
    const std::int64_t next = name_lanes(TraceGroup::ranks, name, lanes, track, events);
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const MessageRecord& message = timeline.messages[of_port[i]];
      const std::int64_t lane = track + static_cast<std::int64_t>(lanes[i]);
      Json arguments = facts(timeline, of_port[i]);
      if (!are_sent) arguments.update(anatomy(message));
      const std::string other = are_sent ? fmt::format("to {}", message.dest) : fmt::format("from {}", message.source);
      events.slice(TraceGroup::ranks, lane, stretches[i], fmt::format("{} {}", to_string(Bytes(message.bytes)), other),
                   are_sent ? "send" : "receive", std::move(arguments));
      events.flow(are_sent ? "s" : "f", lane, stretches[i].begin, message_number(of_port[i]));
    }
    track = next;
  };
  write(messages.sent, true);
  write(messages.received, false);
  return track;
}

/// A flow in a link or trunk.
struct LinkUse {
  LinkId link;
  Time begin;
  std::uint32_t flow;
};

using LinkUses = std::span<const LinkUse>;

/// Of each link and trunk that carried something, ascending: those of one by their beginning.
std::vector<LinkUse> uses_of_links(const Timeline& timeline) {
  std::vector<LinkUse> uses;
  uses.reserve(timeline.links.size());
  for (std::uint32_t f = 0; f < timeline.flows.size(); ++f) {
    const FlowRecord& flow = timeline.flows[f];
    for (std::uint32_t i = 0; i < flow.links; ++i) uses.push_back({timeline.links[flow.first_link + i], flow.begin, f});
  }
  std::ranges::sort(uses, {}, [](const LinkUse& use) { return std::tuple(use.link, use.begin, use.flow); });
  return uses;
}

/// Takes those of the first link away.
LinkUses take_link(LinkUses& uses) {
  const auto end = std::ranges::find_if(uses, [&](const LinkUse& use) { return use.link != uses.front().link; });
  const LinkUses of_one = uses.first(static_cast<std::size_t>(end - uses.begin()));
  uses = uses.subspan(of_one.size());
  return of_one;
}

/// Writes a counter for each link: one value for each timestamp at which its load changes; the last is without load.
class LinkLoadWriter {
 public:
  LinkLoadWriter(const Timeline& timeline, const Topology& topology, TraceEvents& events)
      : timeline_(timeline), topology_(topology), events_(events), rates_(timeline.rates) {
    std::ranges::stable_sort(rates_, {}, &RateRecord::flow);
  }

  void write(LinkUses of_link) const {
    std::vector<Change> changes;
    for (const LinkUse& use : of_link) append_changes(use.flow, changes);
    std::ranges::stable_sort(changes, {}, &Change::time);
    const std::string name = link_or_trunk_name(topology_, of_link.front().link);
    std::pair<int, std::int64_t> before;  // flows, bytes per second
    int flows = 0;
    std::int64_t rate = 0;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      flows += changes[c].flows;
      rate += changes[c].rate;
      if (c + 1 < changes.size() && changes[c + 1].time == changes[c].time) continue;
      const std::pair now(flows, static_cast<std::int64_t>(std::llround(static_cast<double>(rate) * kRateUnit)));
      if (now != before) events_.counter(changes[c].time, name, {{"flows", now.first}, {"bytes_per_second", now.second}});
      before = now;
    }
  }

 private:
  /// Rates are added as whole numbers of this part of a byte per second, so that what is added and taken away again leaves
  /// nothing behind.
  static constexpr double kRateUnit = 1.0 / 256;

  struct Change {
    Time time;
    int flows;
    std::int64_t rate;
  };

  void append_changes(std::uint32_t f, std::vector<Change>& changes) const {
    const FlowRecord& flow = timeline_.flows[f];
    changes.push_back({flow.begin, 1, 0});
    std::int64_t rate = 0;
    auto record = std::ranges::lower_bound(rates_, f, {}, &RateRecord::flow);
    for (; record != rates_.end() && record->flow == f; ++record) {
      const auto next = static_cast<std::int64_t>(std::llround(record->bytes_per_second / kRateUnit));
      changes.push_back({record->time, 0, next - rate});
      rate = next;
    }
    changes.push_back({flow.end, -1, -rate});
  }

  const Timeline& timeline_;
  const Topology& topology_;
  TraceEvents& events_;
  std::vector<RateRecord> rates_;  ///< by flow, then as they come
};

/// The tracks of a link or trunk, from `track` on, further ones where messages share it: each message as long as it was in the link. The
/// next free track.
std::int64_t write_messages_in_link(const Timeline& timeline, const Topology& topology, LinkUses of_link, std::int64_t track,
                                    TraceEvents& events) {
  std::vector<Stretch> stretches;
  for (const LinkUse& use : of_link) stretches.push_back({timeline.flows[use.flow].begin, timeline.flows[use.flow].end});
  const std::vector<std::size_t> lanes = lanes_of(stretches);
  const std::string name = link_or_trunk_name(topology, of_link.front().link);
  const std::int64_t next = name_lanes(TraceGroup::links, name, lanes, track, events);
  for (std::size_t i = 0; i < of_link.size(); ++i) {
    const FlowRecord& flow = timeline.flows[of_link[i].flow];
    const MessageRecord& message = timeline.messages[flow.message];
    const std::int64_t bytes = std::llround(flow.share * static_cast<double>(message.bytes));
    Json arguments = facts(timeline, flow.message);
    arguments["bytes"] = bytes;
    events.slice(TraceGroup::links, track + static_cast<std::int64_t>(lanes[i]), stretches[i],
                 slice_name(timeline, message, bytes), "message", std::move(arguments));
  }
  return next;
}

class TraceWriter {
 public:
  TraceWriter(const Timeline& timeline, const Topology& topology, const Placement& placement,
              const std::vector<LinkFault>& faults, std::ostream& out)
      : timeline_(timeline), topology_(topology), placement_(placement), faults_(faults), events_(out) {}

  void write() {
    events_.name_group(TraceGroup::ranks, "ranks");
    gather_tracks();
    write_tracks();
    if (!timeline_.flows.empty()) {
      events_.name_group(TraceGroup::links, "links");
      const std::vector<LinkUse> all = uses_of_links(timeline_);
      std::int64_t track = 1;
      for (LinkUses uses = all; !uses.empty();)
        track = write_messages_in_link(timeline_, topology_, take_link(uses), track, events_);
      const LinkLoadWriter loads(timeline_, topology_, events_);
      for (LinkUses uses = all; !uses.empty();) loads.write(take_link(uses));
      write_link_faults(faults_, topology_, events_);
    }
    if (!timeline_.operations.empty()) write_switches();
  }

 private:
  struct Task {
    int rank;
    int number;
    auto operator<=>(const Task&) const = default;
  };

  /// What a task did, and in which phases (indices of records).
  struct Track {
    std::vector<std::uint32_t> spans;
    std::vector<std::uint32_t> phases;
  };

  // ---- ranks ----

  /// A rank's own track, then those of its tasks, rank by rank.
  void gather_tracks() {
    for (int rank = 0; rank < static_cast<int>(placement_.size()); ++rank) tracks_[{rank, 0}] = {};
    for (std::uint32_t s = 0; s < timeline_.spans.size(); ++s)
      tracks_[{timeline_.spans[s].rank, timeline_.spans[s].task}].spans.push_back(s);
    for (std::uint32_t p = 0; p < timeline_.phase_records.size(); ++p)
      tracks_[{timeline_.phase_records[p].rank, timeline_.phase_records[p].task}].phases.push_back(p);
    ports_.resize(placement_.size());
    for (std::uint32_t m = 0; m < timeline_.messages.size(); ++m) {
      const MessageRecord& message = timeline_.messages[m];
      if (message.source == MessageRecord::kSwitches) continue;
      ports_[static_cast<std::size_t>(message.source)].sent.push_back(m);
      ports_[static_cast<std::size_t>(message.dest)].received.push_back(m);
    }
  }

  /// Below a rank's tracks those of its port.
  void write_tracks() {
    std::int64_t next = 1;
    for (auto track = tracks_.begin(); track != tracks_.end();) {
      const int rank = track->first.rank;
      for (; track != tracks_.end() && track->first.rank == rank; ++track) {
        const std::string endpoint = topology_.vertex_name(placement_[static_cast<std::size_t>(rank)]);
        events_.name_track(TraceGroup::ranks, next,
                           track->first.number == 0 ? fmt::format("rank {} on {}", rank, endpoint)
                                                    : fmt::format("rank {}, task {}", rank, track->first.number));
        write_track(next, track->second);
        ++next;
      }
      next = write_port(timeline_, rank, ports_[static_cast<std::size_t>(rank)], next, events_);
    }
  }

  /// What it did lies within its phases: it changes them while no time passes.
  void write_track(std::int64_t number, Track& track) {
    std::ranges::stable_sort(track.spans, {}, [&](std::uint32_t s) { return timeline_.spans[s].begin; });
    auto span = track.spans.begin();
    const auto write_spans_before = [&](Time time) {
      for (; span != track.spans.end() && timeline_.spans[*span].begin < time; ++span) write_span(number, *span);
    };
    std::vector<std::uint32_t> open;
    Time until;  // of the last record
    const auto change_to = [&](Time at, const std::vector<std::uint32_t>& path) {
      write_spans_before(at);
      const auto common = static_cast<std::size_t>(std::ranges::mismatch(open, path).in1 - open.begin());
      for (; open.size() > common; open.pop_back()) events_.end(TraceGroup::ranks, number, at);
      for (; open.size() < path.size(); open.push_back(path[open.size()]))
        events_.begin(TraceGroup::ranks, number, at, timeline_.phases[path[open.size()]].name, "phase", Json::object());
    };
    for (const std::uint32_t p : track.phases) {
      const PhaseRecord& record = timeline_.phase_records[p];
      if (until < record.begin) change_to(until, {});
      change_to(record.begin, path_of(record.phase));
      until = record.end;
    }
    change_to(until, {});
    write_spans_before(Time::max());
  }

  /// The outermost first.
  std::vector<std::uint32_t> path_of(std::uint32_t phase) const {
    std::vector<std::uint32_t> path;
    for (; phase != CriticalPath::kNoRecord; phase = timeline_.phases[phase].within) path.push_back(phase);
    std::ranges::reverse(path);
    return path;
  }

  void write_span(std::int64_t track, std::uint32_t s) {
    const SpanRecord& span = timeline_.spans[s];
    events_.begin(TraceGroup::ranks, track, span.begin, span_name(span), kind_text(span.kind), span_arguments(span));
    events_.end(TraceGroup::ranks, track, span.end);
  }

  const MessageRecord* message_of(const SpanRecord& span) const {
    const bool ends_with_one = span.kind == SpanRecord::Kind::requests || span.kind == SpanRecord::Kind::in_network;
    return ends_with_one && span.message != CriticalPath::kNoRecord ? &timeline_.messages[span.message] : nullptr;
  }

  std::string span_name(const SpanRecord& span) const {
    const MessageRecord* message = message_of(span);
    switch (span.kind) {
      case SpanRecord::Kind::requests:
        if (message == nullptr) return "wait";
        if (message->source == MessageRecord::kSwitches) return "wait for the switches";
        return message->source == span.rank ? fmt::format("wait: send to {}", message->dest)
                                            : fmt::format("wait: receive from {}", message->source);
      case SpanRecord::Kind::in_network:
        return message == nullptr || message->operation == CriticalPath::kNoRecord
                   ? "in the network"
                   : fmt::format("in the network: {}", to_string(timeline_.operations[message->operation].collective));
      case SpanRecord::Kind::work:
        return "reduce or copy";
      default:
        return kind_text(span.kind);
    }
  }

  Json span_arguments(const SpanRecord& span) const {
    const MessageRecord* message = message_of(span);
    if (message == nullptr) return Json::object();
    return {{"message", message_number(span.message)}, {"round", message->round}, {"bytes", message->bytes}};
  }

  // ---- switches ----

  /// Operations that overlap stand below each other.
  void write_switches() {
    events_.name_group(TraceGroup::switches, "switches");
    std::vector<std::uint32_t> order;
    for (std::uint32_t m = 0; m < timeline_.messages.size(); ++m)
      if (timeline_.messages[m].source == MessageRecord::kSwitches) order.push_back(m);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t m) { return timeline_.messages[m].posted; });
    std::vector<Stretch> stretches;
    for (const std::uint32_t m : order) stretches.push_back({timeline_.messages[m].posted, timeline_.messages[m].arrived});
    const std::vector<std::size_t> lanes = lanes_of(stretches);
    std::size_t named = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto track = static_cast<std::int64_t>(lanes[i]) + 1;
      if (lanes[i] == named) {
        events_.name_track(TraceGroup::switches, track, fmt::format("operations {}", track));
        ++named;
      }
      write_operation(track, order[i]);
    }
  }

  void write_operation(std::int64_t track, std::uint32_t m) {
    const MessageRecord& record = timeline_.messages[m];
    const OperationRecord& operation = timeline_.operations[record.operation];
    Json arguments = {
        {"message", message_number(m)}, {"bytes", record.bytes}, {"round", record.round}, {"ranks", operation.ranks.size()}};
    arguments.update(anatomy(record));
    events_.begin(TraceGroup::switches, track, record.posted, operation_text(operation), "operation", std::move(arguments));
    events_.end(TraceGroup::switches, track, record.arrived);
  }

  const Timeline& timeline_;
  const Topology& topology_;
  const Placement& placement_;
  const std::vector<LinkFault>& faults_;
  TraceEvents events_;
  std::map<Task, Track> tracks_;
  std::vector<PortMessages> ports_;  ///< by rank
};

}  // namespace

void write_trace(const Timeline& timeline, const Topology& topology, const Placement& placement, const Json& about,
                 std::ostream& out, const std::vector<LinkFault>& faults) {
  out << "{\"displayTimeUnit\":\"ns\",\n\"otherData\":" << about.dump(-1, ' ', false, Json::error_handler_t::replace)
      << ",\n\"traceEvents\":[\n";
  TraceWriter(timeline, topology, placement, faults, out).write();
  out << "\n]}\n";
}

namespace {

nlohmann::ordered_json about(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const Timeline& timeline = *outcome.timeline;
  return {{"producer", "heddle " + std::string(version())},
          {"algorithm", outcome.algorithm->name},
          {"time_s", seconds_for_json(outcome.report()->completion)},
          {"payload_scale", outcome.report()->byte_scale},
          {"units",
           {{"ts", "us of emulated time"},
            {"*_us", "us of emulated time"},
            {"bytes", "bytes on the wire"},
            {"bytes_per_second", "bytes on the wire per second of emulated time"},
            {"percent_of_bandwidth", "what a fault leaves a link of its bandwidth"}}},
          {"messages", timeline.messages.size() - timeline.operations.size()},
          {"operations_in_network", timeline.operations.size()},
          {"spans", timeline.spans.size()},
          {"phases", timeline.phases.size()},
          {"context", json_of_context(setup)}};
}

}  // namespace

void write_trace(const Outcome& outcome, std::ostream& out) {
  const Setup& setup = *outcome.setup;
  write_trace(*outcome.timeline, setup.fabric.topology(), setup.placement, about(outcome), out, link_faults_of(outcome));
}

TraceReporter::TraceReporter(const Setup& setup, const std::string& path) : files_(files_of(setup, path)) {}

void TraceReporter::add(const Outcome& outcome) {
  const OutputFile& file = files_.at(next_++);
  if (outcome.report() == nullptr) return;
  file.write_by([&](std::ostream& out) { write_trace(outcome, out); });
}

}  // namespace heddle::pictures

namespace heddle {

RunOutput trace_output() {
  return {.flag = "--trace",
          .help =
              "Write what happened to a file that https://ui.perfetto.dev opens, out.json (several algorithms: "
              "out-NAME.json each): ranks, messages, loads of links over time",
          .example = "trace.json",
          .files = RunOutput::Files::of_each,
          .needs_timeline = [](std::string_view) { return true; },
          .make = [](const RunOutputCall& call) -> std::unique_ptr<Reporter> {
            return read_flag("--trace", call.path, [&](std::string_view name) {
              if (name == "-") throw InputError("'-': a trace is a file; try trace.json");
              return std::make_unique<pictures::TraceReporter>(call.setup, std::string(name));
            });
          }};
}

}  // namespace heddle
