// SPDX-License-Identifier: Apache-2.0
#include "emu/record/timeline.hpp"

namespace heddle {

MessageRecord record_of(const emu::PostedMessage& message) {
  MessageRecord record;
  record.source = message.source;
  record.dest = message.dest;
  record.tag = message.tag.value();
  record.round = message.round;
  record.bytes = message.bytes;
  record.posted = message.time;
  record.phase = message.phase;
  return record;
}

void Timeline::switches_started(const MessageRecord& operation, Collective collective, const std::vector<int>& ranks) {
  messages.push_back(operation);
  messages.back().operation = static_cast<std::uint32_t>(operations.size());
  operations.push_back({collective, ranks});
}

void Timeline::injected(std::uint32_t record, Time started, Time entered, std::uint32_t previous) {
  MessageRecord& message = messages[record];
  message.started = started;
  message.entered = entered;
  message.previous = previous;
}

void Timeline::drained(std::uint32_t record, Time /*entered*/, Time at, Time full_rate) {
  messages[record].drained = at;
  messages[record].full_rate = full_rate;
}

void Timeline::begin_flow(std::uint32_t flow, const emu::FlowStart& start, std::span<const LinkId> its_links, Time now) {
  if (flow >= record_of_flow_.size()) record_of_flow_.resize(flow + std::size_t{1});
  record_of_flow_[flow] = static_cast<std::uint32_t>(flows.size());
  flows.push_back({.message = start.message,
                   .first_link = static_cast<std::uint32_t>(links.size()),
                   .links = static_cast<std::uint32_t>(its_links.size()),
                   .share = start.share,
                   .begin = now,
                   .end = now});
  links.insert(links.end(), its_links.begin(), its_links.end());
}

}  // namespace heddle
