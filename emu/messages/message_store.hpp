// SPDX-License-Identifier: Apache-2.0
// The messages of a run by number; the memory of those that have been received is used again.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "emu/messages/chunked_vector.hpp"
#include "emu/messages/message.hpp"

namespace heddle::emu {

class MessageStore {
 public:
  /// `side_by_side`: take() is called by several threads at once. Nothing else ever is.
  explicit MessageStore(bool side_by_side) : side_by_side_(side_by_side) {}

  /// A message stays where it is as others come.
  Message& operator[](MessageId id) { return messages_[id]; }
  const Message& operator[](MessageId id) const { return messages_[id]; }

  /// One to be written, with what the last message of that number has left in it.
  std::pair<MessageId, Message*> take() {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (side_by_side_) lock.lock();
    if (free_.empty()) {
      const auto id = static_cast<MessageId>(messages_.size());
      messages_.grow(id + std::size_t{1});
      return {id, &messages_[id]};
    }
    const MessageId id = free_.back();
    free_.pop_back();
    return {id, &messages_[id]};
  }

  /// It has been received. Its content stays until it is taken.
  void give_back(MessageId id) { free_.push_back(id); }

 private:
  ChunkedVector<Message> messages_;
  /// The last received is sent first: those of one instant are sent one behind the other in memory, backwards every other time.
  std::vector<MessageId> free_;
  bool side_by_side_;
  std::mutex mutex_;
};

}  // namespace heddle::emu
