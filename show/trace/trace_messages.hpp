// SPDX-License-Identifier: Apache-2.0
// Messages as slices: what they are called, and what is said of each.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "show/trace/trace_events.hpp"

namespace heddle::pictures {

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
