// SPDX-License-Identifier: Apache-2.0
// The messages of a run by number; the memory of those that have been received is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emu/messages/mailbox.hpp"
#include "emu/messages/payload.hpp"
#include "emu/record/critical_path.hpp"
#include "heddle/messages.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

/// Elements by number that stay where they are as more come. Looked up many times for every message: by a shift and two loads,
/// where std::deque, which holds no two large elements together, divides and reads a table as long as it is itself.
template <class T, std::size_t kChunk = 32>
class ChunkedVector {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  /// New elements are value-initialised.
  void grow(std::size_t size) {
    while (chunks_.size() * kChunk < size) chunks_.push_back(std::make_unique<T[]>(kChunk));
    size_ = size;
  }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

/// What becomes of a message on its way, where the fabric is unreliable.
enum class MessageOutcome : std::uint8_t { arrives, is_lost, is_damaged };

/// A message from when it takes effect until it has been received. Thousands are under way: none takes a cache line more than
/// it must.
struct alignas(64) Message {
  std::uint64_t number = 0;  ///< in the order of the run
  ChannelKey key;            ///< ranks of its group
  int source = 0;            ///< world rank
  int dest = 0;              ///< world rank
  TaskId sender = 0;
  std::uint32_t sender_slot = 0;
  std::int64_t count = 0;
  std::int64_t wire_bytes = 0;
  int round = 1;
  bool second_call = false;
  bool drained : 1 = false;
  bool is_special : 1 = false;  ///< there is more of it: MessageStore::special
  bool credits_by_tag = false;  ///< its tag has credits of its own, apart from the pair's others
  MessageOutcome outcome = MessageOutcome::arrives;
  CriticalPath path;     ///< of its entry into the network; once it has drained, of that
  Time entered;          ///< the network: when its start-up is over
  Time contention_free;  ///< had no message shared a link: when it would have been sent, then entered, then arrived
  std::uint32_t record = CriticalPath::kNoRecord;
  ChannelId channel = 0;
  ReceiveId receive;  ///< set when it was paired before it arrived
  Payload payload;
  Pieces<ConstVectorView> from;  ///< the sender's memory, to see whether it changed

  Datatype type() const { return from.type(); }
  /// Those of second calls, and from a rank to itself, take no time.
  bool crosses_network() const { return !second_call && source != dest; }
};
static_assert(sizeof(Message) <= 256);

/// Of a message that more is asked of than that it is carried.
struct SpecialMessage {
  std::uint64_t label = 0;
  const void* place = nullptr;  ///< where it was sent; nullptr: unknown
  SendMode mode = SendMode::standard;
  bool is_unawaited = false;  ///< nobody waits for it to drain: its request is over, or its task has ended
  bool is_withdrawn = false;  ///< its send was cancelled while it was under way: it is dropped when it arrives
};

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

  /// Of one that is special from now on: what more there is of it, as new.
  SpecialMessage* make_special(MessageId id) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (side_by_side_) lock.lock();
    if (id >= special_.size()) special_.grow(id + std::size_t{1});
    special_[id] = {};
    return &special_[id];
  }
  SpecialMessage& special(MessageId id) { return special_[id]; }
  const SpecialMessage& special(MessageId id) const { return special_[id]; }

  /// All that have ever been taken have lower ids.
  MessageId size() const { return static_cast<MessageId>(messages_.size()); }

  /// How many have been taken and not been received.
  std::size_t in_use() const { return messages_.size() - free_.size(); }

  /// It has been received. Its content stays until it is taken.
  void give_back(MessageId id) { free_.push_back(id); }

 private:
  ChunkedVector<Message> messages_;
  ChunkedVector<SpecialMessage> special_;  ///< as far as it is needed
  /// The last received is sent first: those of one timestamp are sent one behind the other in memory, backwards every other
  /// time.
  std::vector<MessageId> free_;
  bool side_by_side_;
  std::mutex mutex_;
};

}  // namespace heddle::emu
