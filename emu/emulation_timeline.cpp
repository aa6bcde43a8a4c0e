// SPDX-License-Identifier: Apache-2.0
// What happens, written into the timeline of a run that keeps one. Rehearsals are no part of it.
#include <algorithm>
#include <cmath>

#include "emu/emulation.hpp"
#include "emu/gathered_call.hpp"

namespace heddle::emu {

namespace {

SpanRecord::Kind kind_of(StrandState::Blocked blocked) {
  switch (blocked) {
    case StrandState::Blocked::children:
      return SpanRecord::Kind::children;
    case StrandState::Blocked::split:
      return SpanRecord::Kind::split;
    case StrandState::Blocked::in_network:
      return SpanRecord::Kind::in_network;
    case StrandState::Blocked::work:
      return SpanRecord::Kind::work;
    case StrandState::Blocked::no:       // never: it is blocked
    case StrandState::Blocked::stopped:  // never: it does not go on
    case StrandState::Blocked::requests:
      break;
  }
  return SpanRecord::Kind::requests;
}

}  // namespace

void Emulation::record_posted(Message& message) {
  message.record = CriticalPath::kNoRecord;
  if (!crosses_network(message)) return;
  message.record = static_cast<std::uint32_t>(settings_.timeline->messages.size());
  MessageRecord record;
  record.source = message.source;
  record.dest = message.dest;
  record.tag = message.key.tag;
  record.round = message.round;
  record.bytes = message.wire_bytes;
  record.posted = engine_->now();
  settings_.timeline->messages.push_back(record);
}

void Emulation::record_launched(const Message& message, Time started, std::uint32_t previous) {
  MessageRecord& record = settings_.timeline->messages[message.record];
  record.started = started;
  record.entered = message.entered;
  record.previous = previous;
}

void Emulation::record_drained(const Message& message, Time full_rate) {
  MessageRecord& record = settings_.timeline->messages[message.record];
  record.drained = engine_->now();
  record.full_rate = full_rate;
}

void Emulation::record_arrived(const Message& message) {
  settings_.timeline->messages[message.record].arrived = engine_->now();
}

void Emulation::record_started(InNetworkCall& call) {
  Timeline& timeline = *settings_.timeline;
  MessageRecord record;
  record.source = record.dest = MessageRecord::kSwitches;
  record.round = call.round;
  record.bytes = std::llround(call.plan.bytes * settings_.payload_scale);
  record.posted = engine_->now();
  record.started = call.ready;
  record.entered = call.entered;
  record.previous = call.path.last_record;
  record.operation = static_cast<std::uint32_t>(timeline.operations.size());
  call.path.last_record = call.record = static_cast<std::uint32_t>(timeline.messages.size());
  timeline.messages.push_back(record);
  timeline.operations.push_back({.collective = call.collective, .ranks = call.group->members});
}

void Emulation::record_streamed(const InNetworkCall& call, Time full_rate) {
  if (call.record == CriticalPath::kNoRecord) return;
  MessageRecord& record = settings_.timeline->messages[call.record];
  record.drained = engine_->now();
  record.full_rate = full_rate;
  record.arrived = engine_->now() + *std::max_element(call.plan.latency.begin(), call.plan.latency.end());
}

void Emulation::record_span(const StrandState& strand) {
  const Time now = engine_->now();
  if (now == strand.blocked_since || in_rehearsal(strand.rank)) return;
  settings_.timeline->spans.push_back({.rank = strand.rank,
                                       .strand = strand.number,
                                       .kind = kind_of(strand.blocked),
                                       .begin = strand.blocked_since,
                                       .end = now,
                                       .message = strand.path.last_record});
}

}  // namespace heddle::emu
