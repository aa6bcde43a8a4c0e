// SPDX-License-Identifier: Apache-2.0
#include "schedules/record/message_pairs.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace heddle {

namespace {

/// Source, destination, stream.
using Stream = std::tuple<int, int, std::string>;

/// By stream: its receives in their order.
std::map<Stream, std::vector<std::int32_t>> receives_of(const Recording& recording) {
  std::map<Stream, std::vector<std::int32_t>> receives;
  for (std::size_t dest = 0; dest < recording.ranks.size(); ++dest) {
    std::int32_t number = 0;
    for (const RecordedOperation& operation : recording.ranks[dest].operations()) {
      if (operation.kind == RecordedOperation::Kind::receive)
        receives[{operation.peer, static_cast<int>(dest), operation.stream}].push_back(number);
      ++number;
    }
  }
  return receives;
}

}  // namespace

bool is_after(const RankRecording& rank, std::int32_t operation, std::int32_t before) {
  std::set<std::int32_t> seen;
  std::vector<std::int32_t> open = {operation};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    for (const std::int32_t earlier : rank.operations()[static_cast<std::size_t>(at)].after) {
      if (earlier == before) return true;
      // Operations are numbered in the order in which they began.
      if (earlier > before && seen.insert(earlier).second) open.push_back(earlier);
    }
  }
  return false;
}

std::vector<MessagePair> pair_messages(const Recording& recording) {
  const std::map<Stream, std::vector<std::int32_t>> receives = receives_of(recording);
  std::map<Stream, std::size_t> taken;
  std::vector<MessagePair> pairs;
  for (std::size_t source = 0; source < recording.ranks.size(); ++source) {
    const RankRecording& sender = recording.ranks[source];
    std::map<std::int32_t, std::vector<MessagePair>> last_of;  // by destination: the last message of each channel
    for (std::int32_t send = 0; send < static_cast<std::int32_t>(sender.operations().size()); ++send) {
      const RecordedOperation& operation = sender.operations()[static_cast<std::size_t>(send)];
      if (operation.kind != RecordedOperation::Kind::send) continue;
      const Stream stream{static_cast<int>(source), operation.peer, operation.stream};
      const std::int32_t receive = receives.at(stream)[taken[stream]++];
      std::vector<MessagePair>& channels = last_of[operation.peer];
      std::size_t channel = 0;
      while (channel < channels.size() &&
             !(is_after(sender, send, channels[channel].send) && channels[channel].receive < receive))
        ++channel;
      const MessagePair pair{static_cast<std::int32_t>(source), send, operation.peer, receive,
                             static_cast<std::int32_t>(channel)};
      if (channel == channels.size())
        channels.push_back(pair);
      else
        channels[channel] = pair;
      pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace heddle
