// SPDX-License-Identifier: Apache-2.0
// What a trace is made of: events, and the tracks that they stand on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"

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
  /// "s" and "f": an arrow between the slices written just before, at their beginnings.
  void flow_start(std::int64_t track, Time at, std::int64_t id);
  void flow_end(std::int64_t track, Time at, std::int64_t id);
  /// "C": a link's load from now on.
  void counter(TraceGroup group, Time at, std::string_view name, Json values);

 private:
  static Json event(const char* phase, TraceGroup group);
  static Json flow(const char* phase, std::int64_t track, Time at, std::int64_t id);
  void write(const Json& event);

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

}  // namespace heddle::pictures
