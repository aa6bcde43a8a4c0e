// SPDX-License-Identifier: Apache-2.0
// What the ranks of one call did: messages, copies and reductions, each with what it had waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/collective.hpp"
#include "core/rank.hpp"

namespace heddle {

/// Memory of a rank.
struct MemoryRange {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

struct RecordedOperation {
  enum class Kind : std::uint8_t { send, receive, copy, reduce };

  Kind kind = Kind::send;
  int peer = -1;            ///< of a message: the other rank of the call
  std::string stream = {};  ///< of a message: its communicator and tag, alike on both sides
  std::int32_t task = 0;    ///< of the rank, that did it
  std::vector<MemoryRange> from = {};
  std::vector<MemoryRange> into = {};
  /// Operations of the rank, by number, that its thread had waited for when it began: those that no other of them had waited for.
  std::vector<std::int32_t> after = {};
};

/// Of one rank. Its tasks write to it, each in its turn.
class RankRecording {
 public:
  std::int32_t add(RecordedOperation operation) {
    const std::lock_guard lock(mutex_);
    operations_.push_back(std::move(operation));
    return static_cast<std::int32_t>(operations_.size()) - 1;
  }
  /// Of a receive from any rank: who it was, once that is known.
  void set_peer(std::int32_t number, int peer) {
    const std::lock_guard lock(mutex_);
    operations_[static_cast<std::size_t>(number)].peer = peer;
  }

  /// The number of a task that begins; the rank itself is 0.
  std::int32_t take_task() {
    const std::lock_guard lock(mutex_);
    return ++tasks_;
  }

  // Once the call has ended.
  const std::deque<RecordedOperation>& operations() const { return operations_; }
  MemoryRange input = {};
  MemoryRange output = {};

 private:
  std::mutex mutex_;
  std::deque<RecordedOperation> operations_;
  std::int32_t tasks_ = 0;
};

/// Of a whole call. One for each rank, from the start; a rank's own belongs to its threads until the call has ended.
struct Recording {
  explicit Recording(int size) : ranks(static_cast<std::size_t>(size)) {}

  std::deque<RankRecording> ranks;
  std::size_t element_size = 1;
};

}  // namespace heddle
