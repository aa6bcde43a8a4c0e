// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::pictures {

namespace {

/// Rates are added as whole numbers of this part of a byte per second, so that what is added and taken away again leaves
/// nothing behind.
constexpr double kRateUnit = 1.0 / 256;

std::int64_t in_units(double bytes_per_second) { return std::llround(bytes_per_second / kRateUnit); }

}  // namespace

FlowsByLink::FlowsByLink(const Timeline& timeline) : timeline_(timeline) {
  std::vector<std::pair<LinkId, std::uint32_t>> uses;
  uses.reserve(timeline.links.size());
  for (std::uint32_t f = 0; f < timeline.flows.size(); ++f) {
    const FlowRecord& flow = timeline.flows[f];
    for (std::uint32_t i = 0; i < flow.links; ++i) uses.emplace_back(timeline.links[flow.first_link + i], f);
  }
  std::ranges::sort(uses);
  for (const auto& [link, flow] : uses) {
    if (links_.empty() || links_.back() != link) {
      links_.push_back(link);
      first_flow_.push_back(flows_.size());
    }
    flows_.push_back(flow);
  }
  first_flow_.push_back(flows_.size());

  rates_.resize(timeline.rates.size());
  std::iota(rates_.begin(), rates_.end(), 0U);
  std::ranges::stable_sort(rates_, {}, [&](std::uint32_t r) { return timeline.rates[r].flow; });
  first_rate_.assign(timeline.flows.size() + 1, 0);
  for (const RateRecord& rate : timeline.rates) ++first_rate_[rate.flow + 1];
  std::partial_sum(first_rate_.begin(), first_rate_.end(), first_rate_.begin());
}

std::vector<LinkLoadStep> FlowsByLink::steps(std::size_t i) const {
  struct Change {
    Time time;
    int flows;
    std::int64_t rate;
  };
  std::vector<Change> changes;
  for (std::size_t use = first_flow_[i]; use < first_flow_[i + 1]; ++use) {
    const FlowRecord& flow = timeline_.flows[flows_[use]];
    changes.push_back({flow.begin, 1, 0});
    std::int64_t rate = 0;
    for (std::size_t r = first_rate_[flows_[use]]; r < first_rate_[flows_[use] + 1]; ++r) {
      const RateRecord& record = timeline_.rates[rates_[r]];
      const std::int64_t next = in_units(record.bytes_per_second);
      changes.push_back({record.time, 0, next - rate});
      rate = next;
    }
    changes.push_back({flow.end, -1, -rate});
  }
  std::ranges::stable_sort(changes, {}, &Change::time);

  std::vector<LinkLoadStep> steps;
  int flows = 0;
  std::int64_t rate = 0;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    flows += changes[c].flows;
    rate += changes[c].rate;
    if (c + 1 < changes.size() && changes[c + 1].time == changes[c].time) continue;
    const LinkLoadStep step{changes[c].time, flows, std::llround(static_cast<double>(rate) * kRateUnit)};
    const LinkLoadStep before = steps.empty() ? LinkLoadStep{} : steps.back();
    if (step.flows != before.flows || step.bytes_per_second != before.bytes_per_second) steps.push_back(step);
  }
  return steps;
}

std::string link_or_trunk_name(const Topology& topology, LinkId link) {
  if (link < topology.links()) return topology.link_name(link);
  const Trunk trunk = topology.trunk(link);
  if (trunk.count == 1) return topology.link_name(trunk.first);
  return fmt::format("{} to {} ({} links)", topology.link_name(trunk.first), topology.link_name(trunk[trunk.count - 1]),
                     trunk.count);
}

void write_link_faults(const std::vector<LinkFault>& faults, const Topology& topology, TraceEvents& events) {
  std::map<LinkId, std::set<Time>> times;
  for (const LinkFault& fault : faults) times[fault.link].insert({Time(), fault.at});
  for (const auto& [link, changes] : times) {
    for (const Time at : changes) {
      double left = 1;
      for (const LinkFault& fault : faults)
        if (fault.link == link && fault.at <= at) left = fault.down ? 0 : std::min(left, 1 / fault.slower);
      events.counter(TraceGroup::links, at, topology.link_name(link) + " fault", {{"percent_of_bandwidth", 100 * left}});
    }
  }
}

void write_link_loads(const Timeline& timeline, const Topology& topology, TraceEvents& events) {
  const FlowsByLink flows(timeline);
  for (std::size_t i = 0; i < flows.links().size(); ++i) {
    const std::string name = link_or_trunk_name(topology, flows.links()[i]);
    for (const LinkLoadStep& step : flows.steps(i))
      events.counter(TraceGroup::links, step.time, name, {{"flows", step.flows}, {"bytes_per_second", step.bytes_per_second}});
  }
}

namespace {

using Json = nlohmann::ordered_json;

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

using StretchOf = Stretch (*)(const MessageRecord&);

/// Sorted by their beginning: `messages`, and what they take.
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
    events.name_track(group, track + static_cast<std::int64_t>(lane), lane_name(name, lane));
  return track + static_cast<std::int64_t>(count);
}

std::string slice_name(const Timeline& timeline, const MessageRecord& message, std::int64_t bytes) {
  if (message.source == MessageRecord::kSwitches) return operation_text(timeline.operations[message.operation]);
  return fmt::format("{} from {} to {}", to_string(Bytes(bytes)), message.source, message.dest);
}

}  // namespace

Json anatomy(const MessageRecord& message) {
  return {{"waited_us", trace_time(message.started - message.posted)},
          {"startup_us", trace_time(message.entered - message.started)},
          {"serialisation_us", trace_time(message.full_rate)},
          {"contention_us", trace_time(message.drained - message.entered - message.full_rate)},
          {"propagation_us", trace_time(message.arrived - message.drained)}};
}

std::string phase_text(const Timeline& timeline, std::uint32_t phase) {
  if (phase == CriticalPath::kNoRecord) return "";
  const NamedPhase& named = timeline.phases[phase];
  if (named.within == CriticalPath::kNoRecord) return named.name;
  return phase_text(timeline, named.within) + " / " + named.name;
}

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

std::string operation_text(const OperationRecord& operation) {
  return fmt::format("{} of {} ranks", to_string(operation.collective), operation.ranks.size());
}

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
      events.slice(TraceGroup::ranks, lane, stretches[i].begin, stretches[i].end - stretches[i].begin,
                   fmt::format("{} {}", to_string(Bytes(message.bytes)), other), are_sent ? "send" : "receive",
                   std::move(arguments));
      events.flow(are_sent ? "s" : "f", lane, stretches[i].begin, message_number(of_port[i]));
    }
    track = next;
  };
  write(messages.sent, true);
  write(messages.received, false);
  return track;
}

void write_messages_in_links(const Timeline& timeline, const Topology& topology, TraceEvents& events) {
  struct Use {
    LinkId link;
    Time begin;
    std::uint32_t flow;
  };
  std::vector<Use> uses;
  uses.reserve(timeline.links.size());
  for (std::uint32_t f = 0; f < timeline.flows.size(); ++f) {
    const FlowRecord& flow = timeline.flows[f];
    for (std::uint32_t i = 0; i < flow.links; ++i) uses.push_back({timeline.links[flow.first_link + i], flow.begin, f});
  }
  std::ranges::sort(uses, {}, [](const Use& use) { return std::tuple(use.link, use.begin, use.flow); });

  std::int64_t track = 1;
  for (auto use = uses.begin(); use != uses.end();) {
    const auto end = std::find_if(use, uses.end(), [link = use->link](const Use& other) { return other.link != link; });
    std::vector<Stretch> stretches;
    for (auto u = use; u != end; ++u) stretches.push_back({timeline.flows[u->flow].begin, timeline.flows[u->flow].end});
    const std::vector<std::size_t> lanes = lanes_of(stretches);
    const std::int64_t next = name_lanes(TraceGroup::links, link_or_trunk_name(topology, use->link), lanes, track, events);
    for (std::size_t i = 0; use != end; ++use, ++i) {
      const FlowRecord& flow = timeline.flows[use->flow];
      const MessageRecord& message = timeline.messages[flow.message];
      const std::int64_t bytes = std::llround(flow.share * static_cast<double>(message.bytes));
      Json arguments = facts(timeline, flow.message);
      arguments["bytes"] = bytes;
      events.slice(TraceGroup::links, track + static_cast<std::int64_t>(lanes[i]), stretches[i].begin,
                   stretches[i].end - stretches[i].begin, slice_name(timeline, message, bytes), "message",
                   std::move(arguments));
    }
    track = next;
  }
}

TraceEvents::Json TraceEvents::event(const char* phase, TraceGroup group, std::optional<std::int64_t> track,
                                     std::optional<Time> at) {
  Json event = {{"ph", phase}, {"pid", static_cast<int>(group)}};
  if (track) event["tid"] = *track;
  if (at) event["ts"] = trace_time(*at);
  return event;
}

void TraceEvents::write(const Json& event) {
  // Names of fabrics come from the user; bytes that are not UTF-8 must not lose the trace.
  out_ << (first_ ? "" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
  first_ = false;
}

void TraceEvents::write(Json event, std::string_view name, std::string_view category, Json arguments) {
  event["name"] = name;
  if (!category.empty()) event["cat"] = category;
  if (!arguments.empty()) event["args"] = std::move(arguments);
  write(event);
}

void TraceEvents::name_group(TraceGroup group, std::string_view name) {
  const Json named = event("M", group);
  write(named, "process_name", "", {{"name", name}});
  write(named, "process_sort_index", "", {{"sort_index", static_cast<int>(group)}});
}

void TraceEvents::name_track(TraceGroup group, std::int64_t track, std::string_view name) {
  const Json named = event("M", group, track);
  write(named, "thread_name", "", {{"name", name}});
  write(named, "thread_sort_index", "", {{"sort_index", track}});
}

void TraceEvents::begin(TraceGroup group, std::int64_t track, Time at, std::string_view name, std::string_view category,
                        Json arguments) {
  write(event("B", group, track, at), name, category, std::move(arguments));
}

void TraceEvents::end(TraceGroup group, std::int64_t track, Time at) { write(event("E", group, track, at)); }

void TraceEvents::slice(TraceGroup group, std::int64_t track, Time at, Time duration, std::string_view name,
                        std::string_view category, Json arguments) {
  Json sliced = event("X", group, track, at);
  sliced["dur"] = trace_time(duration);
  write(std::move(sliced), name, category, std::move(arguments));
}

void TraceEvents::flow(const char* phase, std::int64_t track, Time at, std::int64_t id) {
  Json arrow = event(phase, TraceGroup::ranks, track, at);
  arrow.update({{"id", id}, {"name", "message"}, {"cat", "message"}});
  if (*phase == 'f') arrow["bp"] = "e";  // at the slice before, not at the next one
  write(arrow);
}

void TraceEvents::counter(TraceGroup group, Time at, std::string_view name, Json values) {
  write(event("C", group, std::nullopt, at), name, "", std::move(values));
}

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

std::string lane_name(const std::string& name, std::size_t lane) {
  return lane == 0 ? name : fmt::format("{} ({})", name, lane + 1);
}

}  // namespace heddle::pictures
