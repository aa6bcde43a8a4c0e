// SPDX-License-Identifier: Apache-2.0
// How many messages one rank may have sent to another that have not been received; what is over that waits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "core/pair_key.hpp"
#include "emu/messages/message_id.hpp"

namespace heddle::emu {

class Credits {
 public:
  /// Each pair of ranks has so many, ≥ 1.
  explicit Credits(int per_pair) : per_pair_(per_pair) {}

  /// Takes one for a message. False: all are taken, and the message waits behind those that wait already.
  bool take(int source, int dest, MessageId message) {
    Pair& pair = pairs_[pair_key(source, dest)];
    if (pair.used == per_pair_) {
      pair.waiting.push_back(message);
      return false;
    }
    ++pair.used;
    return true;
  }

  /// A message of the pair has been received. The one that has its credit now, if one waits.
  std::optional<MessageId> give_back(int source, int dest) {
    Pair& pair = pairs_[pair_key(source, dest)];
    if (pair.waiting.empty()) {
      --pair.used;
      return std::nullopt;
    }
    const MessageId next = pair.waiting.front();
    pair.waiting.pop_front();
    return next;
  }

 private:
  struct Pair {
    int used = 0;
    std::deque<MessageId> waiting;
  };

  int per_pair_;
  std::unordered_map<std::uint64_t, Pair> pairs_;  ///< by source and destination
};

}  // namespace heddle::emu
