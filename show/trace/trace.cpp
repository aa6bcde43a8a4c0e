// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "heddle/units.hpp"
#include "heddle/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/documents/run_json.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/trace/trace_tracks.hpp"

namespace heddle::pictures {

namespace {

using Json = nlohmann::ordered_json;

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
      write_messages_in_links(timeline_, topology_, events_);
      write_link_loads(timeline_, topology_, events_);
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

nlohmann::ordered_json about(const Setup& setup, const Outcome& outcome) {
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

TraceReporter::TraceReporter(const Setup& setup, const std::string& path) : files_(files_of(setup, path)) {}

void TraceReporter::add(const Setup& setup, const Outcome& outcome) {
  const OutputFile& file = files_.at(next_++);
  if (outcome.report() == nullptr) return;
  file.write_by([&](std::ostream& out) {
    write_trace(*outcome.timeline, setup.fabric.topology(), setup.placement, about(setup, outcome), out,
                link_faults_of(setup, outcome));
  });
}

}  // namespace heddle::pictures
