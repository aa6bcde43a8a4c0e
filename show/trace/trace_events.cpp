// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_events.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <utility>

namespace heddle::pictures {

TraceEvents::Json TraceEvents::event(const char* phase, TraceGroup group) {
  return {{"ph", phase}, {"pid", static_cast<int>(group)}};
}

void TraceEvents::write(const Json& event) {
  // Names of fabrics come from the user; bytes that are not UTF-8 must not lose the trace.
  out_ << (first_ ? "" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
  first_ = false;
}

void TraceEvents::name_group(TraceGroup group, std::string_view name) {
  Json named = event("M", group);
  named["name"] = "process_name";
  named["args"] = {{"name", name}};
  write(named);
  named["name"] = "process_sort_index";
  named["args"] = {{"sort_index", static_cast<int>(group)}};
  write(named);
}

void TraceEvents::name_track(TraceGroup group, std::int64_t track, std::string_view name) {
  Json named = event("M", group);
  named["tid"] = track;
  named["name"] = "thread_name";
  named["args"] = {{"name", name}};
  write(named);
  named["name"] = "thread_sort_index";
  named["args"] = {{"sort_index", track}};
  write(named);
}

void TraceEvents::begin(TraceGroup group, std::int64_t track, Time at, std::string_view name, std::string_view category,
                        Json arguments) {
  Json begun = event("B", group);
  begun["tid"] = track;
  begun["ts"] = trace_time(at);
  begun["name"] = name;
  begun["cat"] = category;
  if (!arguments.empty()) begun["args"] = std::move(arguments);
  write(begun);
}

void TraceEvents::end(TraceGroup group, std::int64_t track, Time at) {
  Json ended = event("E", group);
  ended["tid"] = track;
  ended["ts"] = trace_time(at);
  write(ended);
}

void TraceEvents::slice(TraceGroup group, std::int64_t track, Time at, Time duration, std::string_view name,
                        std::string_view category, Json arguments) {
  Json sliced = event("X", group);
  sliced["tid"] = track;
  sliced["ts"] = trace_time(at);
  sliced["dur"] = trace_time(duration);
  sliced["name"] = name;
  sliced["cat"] = category;
  if (!arguments.empty()) sliced["args"] = std::move(arguments);
  write(sliced);
}

void TraceEvents::flow_start(std::int64_t track, Time at, std::int64_t id) { write(flow("s", track, at, id)); }

void TraceEvents::flow_end(std::int64_t track, Time at, std::int64_t id) {
  Json end = flow("f", track, at, id);
  end["bp"] = "e";  // at the slice before, not at the next one
  write(end);
}

TraceEvents::Json TraceEvents::flow(const char* phase, std::int64_t track, Time at, std::int64_t id) {
  Json arrow = event(phase, TraceGroup::ranks);
  arrow["tid"] = track;
  arrow["ts"] = trace_time(at);
  arrow["id"] = id;
  arrow["name"] = "message";
  arrow["cat"] = "message";
  return arrow;
}

void TraceEvents::counter(TraceGroup group, Time at, std::string_view name, Json values) {
  Json counted = event("C", group);
  counted["ts"] = trace_time(at);
  counted["name"] = name;
  counted["args"] = std::move(values);
  write(counted);
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
