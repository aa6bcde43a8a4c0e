// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_writer.hpp"

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

#include "core/units.hpp"
#include "show/trace/trace_events.hpp"
#include "show/trace/trace_links.hpp"

namespace heddle::pictures {

namespace {

using Json = nlohmann::ordered_json;

/// Where a message's time went, in microseconds.
Json anatomy(const MessageRecord& message) {
  return {{"waited_us", trace_time(message.started - message.posted)},
          {"startup_us", trace_time(message.entered - message.started)},
          {"serialisation_us", trace_time(message.full_rate)},
          {"contention_us", trace_time(message.drained - message.entered - message.full_rate)},
          {"propagation_us", trace_time(message.arrived - message.drained)}};
}

/// Messages count from 1 in a trace: a flow's id 0 is none for some readers.
std::int64_t number(std::uint32_t message) { return std::int64_t{message} + 1; }

class TraceWriter {
 public:
  TraceWriter(const Timeline& timeline, const Topology& topology, const Placement& placement, std::ostream& out)
      : timeline_(timeline), topology_(topology), placement_(placement), events_(out) {}

  void write() {
    events_.name_group(TraceGroup::ranks, "ranks");
    number_tracks();
    write_tracks();
    write_link_loads(timeline_, topology_, events_);
    if (!timeline_.operations.empty()) write_switches();
  }

 private:
  struct Task {
    int rank;
    int number;
    auto operator<=>(const Task&) const = default;
  };

  /// A message at one of its ends.
  struct Mark {
    Time at;
    std::uint32_t message;
    bool arrives;
  };

  // ---- ranks ----

  /// A rank's own track, then those of its tasks, rank by rank.
  void number_tracks() {
    for (int rank = 0; rank < static_cast<int>(placement_.size()); ++rank) tracks_[{rank, 0}] = {};
    for (std::uint32_t s = 0; s < timeline_.spans.size(); ++s)
      tracks_[{timeline_.spans[s].rank, timeline_.spans[s].task}].push_back(s);
    for (std::uint32_t m = 0; m < timeline_.messages.size(); ++m) {
      const MessageRecord& message = timeline_.messages[m];
      if (message.source == MessageRecord::kSwitches) continue;
      marks_of(message.source).push_back({message.posted, m, false});
      marks_of(message.dest).push_back({message.arrived, m, true});
    }
  }

  std::vector<Mark>& marks_of(int rank) {
    marks_.resize(placement_.size());
    return marks_[static_cast<std::size_t>(rank)];
  }

  void write_tracks() {
    marks_.resize(placement_.size());
    std::int64_t track = 0;
    for (auto& [task, spans] : tracks_) {
      ++track;
      const std::string endpoint = topology_.vertex_name(placement_[static_cast<std::size_t>(task.rank)]);
      events_.name_track(TraceGroup::ranks, track,
                         task.number == 0 ? fmt::format("rank {} on {}", task.rank, endpoint)
                                          : fmt::format("rank {}, task {}", task.rank, task.number));
      std::vector<Mark> none;
      write_track(track, spans, task.number == 0 ? marks_[static_cast<std::size_t>(task.rank)] : none);
    }
  }

  /// At one instant: what arrives, still in the stretch that ends with it; that end; the next beginning; what is posted.
  void write_track(std::int64_t track, std::vector<std::uint32_t>& spans, std::vector<Mark>& marks) {
    std::ranges::stable_sort(spans, {}, [&](std::uint32_t s) { return timeline_.spans[s].begin; });
    std::ranges::stable_sort(marks, {}, [](const Mark& mark) { return std::pair(mark.at, !mark.arrives); });
    auto mark = marks.begin();
    const auto write_marks_until = [&](Time time, bool arrivals_at_it) {
      for (; mark != marks.end() && (mark->at < time || (arrivals_at_it && mark->at == time && mark->arrives)); ++mark)
        write_mark(track, *mark);
    };
    for (const std::uint32_t s : spans) {
      const SpanRecord& span = timeline_.spans[s];
      write_marks_until(span.begin, true);
      events_.begin(TraceGroup::ranks, track, span.begin, span_name(span), kind_text(span.kind), span_arguments(span));
      write_marks_until(span.end, true);
      events_.end(TraceGroup::ranks, track, span.end);
    }
    write_marks_until(Time::max(), true);
  }

  void write_mark(std::int64_t track, const Mark& mark) {
    const MessageRecord& message = timeline_.messages[mark.message];
    Json arguments = {
        {"message", number(mark.message)}, {"bytes", message.bytes}, {"round", message.round}, {"tag", message.tag}};
    if (mark.arrives) arguments.update(anatomy(message));
    const std::string bytes = to_string(Bytes(message.bytes));
    const std::string name =
        mark.arrives ? fmt::format("{} from {}", bytes, message.source) : fmt::format("{} to {}", bytes, message.dest);
    events_.mark(TraceGroup::ranks, track, mark.at, name, mark.arrives ? "arrival" : "send", std::move(arguments));
    if (mark.arrives)
      events_.flow_end(track, mark.at, number(mark.message));
    else
      events_.flow_start(track, mark.at, number(mark.message));
  }

  static const char* kind_text(SpanRecord::Kind kind) {
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
      case SpanRecord::Kind::children:
        return "concurrently";
      case SpanRecord::Kind::split:
        return "split";
      case SpanRecord::Kind::in_network:
        return message == nullptr || message->operation == CriticalPath::kNoRecord
                   ? "in the network"
                   : fmt::format("in the network: {}", to_string(timeline_.operations[message->operation].collective));
      case SpanRecord::Kind::work:
        break;
    }
    return "reduce or copy";
  }

  Json span_arguments(const SpanRecord& span) const {
    const MessageRecord* message = message_of(span);
    if (message == nullptr) return Json::object();
    return {{"message", number(span.message)}, {"round", message->round}, {"bytes", message->bytes}};
  }

  // ---- switches ----

  /// Operations that overlap stand below each other.
  void write_switches() {
    events_.name_group(TraceGroup::switches, "switches");
    std::vector<std::uint32_t> order;
    for (std::uint32_t m = 0; m < timeline_.messages.size(); ++m)
      if (timeline_.messages[m].source == MessageRecord::kSwitches) order.push_back(m);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t m) { return timeline_.messages[m].posted; });
    std::vector<Time> free_from;  // by track
    for (const std::uint32_t m : order) {
      const MessageRecord& operation = timeline_.messages[m];
      auto lane = std::ranges::find_if(free_from, [&](Time time) { return time <= operation.posted; });
      const std::int64_t track = lane - free_from.begin() + 1;
      if (lane == free_from.end()) {
        events_.name_track(TraceGroup::switches, track, fmt::format("operations {}", track));
        lane = free_from.insert(lane, Time());
      }
      *lane = operation.arrived;
      write_operation(track, m);
    }
  }

  void write_operation(std::int64_t track, std::uint32_t m) {
    const MessageRecord& record = timeline_.messages[m];
    const OperationRecord& operation = timeline_.operations[record.operation];
    Json arguments = {
        {"message", number(m)}, {"bytes", record.bytes}, {"round", record.round}, {"ranks", operation.ranks.size()}};
    arguments.update(anatomy(record));
    events_.begin(TraceGroup::switches, track, record.posted,
                  fmt::format("{} of {} ranks", to_string(operation.collective), operation.ranks.size()), "operation",
                  std::move(arguments));
    events_.end(TraceGroup::switches, track, record.arrived);
  }

  const Timeline& timeline_;
  const Topology& topology_;
  const Placement& placement_;
  TraceEvents events_;
  std::map<Task, std::vector<std::uint32_t>> tracks_;  ///< spans of each
  std::vector<std::vector<Mark>> marks_;               ///< by rank
};

}  // namespace

void write_trace(const Timeline& timeline, const Topology& topology, const Placement& placement, const Json& about,
                 std::ostream& out) {
  out << "{\"displayTimeUnit\":\"ns\",\n\"otherData\":" << about.dump(-1, ' ', false, Json::error_handler_t::replace)
      << ",\n\"traceEvents\":[\n";
  TraceWriter(timeline, topology, placement, out).write();
  out << "\n]}\n";
}

}  // namespace heddle::pictures
