// SPDX-License-Identifier: Apache-2.0
// How many messages one rank may have sent to another that have not been received; what is over that waits. Where tasks share a
// rank's messages, each tag counts for itself: a channel between two ranks, with buffers of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mix.hpp"
#include "core/pair_key.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/message_id.hpp"

namespace heddle::emu {

class Credits {
 public:
  /// Who has credits of its own.
  struct Pair {
    int source;
    int dest;
    std::optional<int> tag;  ///< of messages whose tags count for themselves

    bool operator==(const Pair&) const = default;
  };

  /// Each has so many, ≥ 1.
  explicit Credits(int per_pair) : per_pair_(per_pair) {}

  /// Takes one for a message. False: all are taken, and the message waits behind those that wait already.
  bool take(const Pair& pair, MessageId message) {
    Taken& taken = taken_[pair];
    if (taken.used == per_pair_) {
      taken.waiting.push_back(message);
      return false;
    }
    ++taken.used;
    return true;
  }

  bool has_room(const Pair& pair) const {
    const auto taken = taken_.find(pair);
    return taken == taken_.end() || taken->second.used < per_pair_;
  }
  /// A request, by its task and slot, that completes once there is room.
  void wait_for_room(const Pair& pair, ReceiveId request) {
    taken_[pair].for_room.push_back(request);
    ++waiting_for_room_;
  }
  /// All requests that wait for room of the pair, which has some now.
  std::vector<ReceiveId> take_waiting_for_room(const Pair& pair) {
    if (waiting_for_room_ == 0) return {};  // nearly always
    std::vector<ReceiveId> all = std::exchange(taken_[pair].for_room, {});
    waiting_for_room_ -= all.size();
    return all;
  }

  /// A message of the pair has been received. The one that has its credit now, if one waits.
  std::optional<MessageId> give_back(const Pair& pair) {
    Taken& taken = taken_[pair];
    if (taken.waiting.empty()) {
      --taken.used;
      return std::nullopt;
    }
    const MessageId next = taken.waiting.front();
    taken.waiting.pop_front();
    return next;
  }

 private:
  struct Taken {
    int used = 0;
    std::deque<MessageId> waiting;
    std::vector<ReceiveId> for_room;
  };
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      const std::uint64_t tag = pair.tag ? mix(static_cast<std::uint64_t>(*pair.tag)) : 0;
      return std::hash<std::uint64_t>()(pair_key(pair.source, pair.dest) ^ tag);
    }
  };

  int per_pair_;
  std::size_t waiting_for_room_ = 0;  ///< of all pairs
  std::unordered_map<Pair, Taken, Hash> taken_;
};

}  // namespace heddle::emu
