// SPDX-License-Identifier: Apache-2.0
// What the ranks of one call did: messages, copies and reductions, each with what it had waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/forwarding_communicator.hpp"
#include "heddle/collective.hpp"
#include "heddle/vector_view.hpp"
#include "schedules/program/schedule_program.hpp"

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
  /// Memory that a task had freed and another one then got is not one memory, though it had the same addresses: from here on each of
  /// the tasks has addresses of its own there. Two tasks that use the same memory at once do not write to it.
  void part_reused_memory();
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

// Makes each call on another communicator, and writes down what it was.

/// What one task of a rank has waited for. Its communicators share it.
struct TaskRecord {
  std::int32_t number = 0;          ///< among the rank's tasks
  std::vector<std::int32_t> after;  ///< operations: those that no other of them had waited for
};

/// As its communicator, for one task. It has no switches that compute: what they do is no message.
class RecordingCommunicator final : public ForwardingCommunicator {
 public:
  /// `world`: by rank of the communicator, the rank of the call. `name`: the same on all ranks. All outlive it.
  template <class Inner>
  RecordingCommunicator(Inner&& inner, RankRecording& recording, std::vector<int> world, std::string name,
                        std::shared_ptr<TaskRecord> task)
      : ForwardingCommunicator(std::forward<Inner>(inner)),
        recording_(recording),
        world_(std::move(world)),
        name_(std::move(name)),
        task_(std::move(task)) {}

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;

 private:
  struct Open {
    std::int32_t operation;
    std::vector<std::int32_t> after;  ///< that it began after
    bool is_from_any = false;
  };

  std::int32_t add(RecordedOperation operation);
  std::string stream(Tag tag) const { return name_ + '#' + std::to_string(tag.value()); }
  void waited_for(const std::vector<Open>& done);
  void run_tasks(int n, bool is_shared, const std::function<void(int, Communicator&)>& body);

  RankRecording& recording_;
  std::vector<int> world_;
  std::string name_;
  std::shared_ptr<TaskRecord> task_;
  std::map<std::uint64_t, Open> open_;  ///< by request
  int calls_ = 0;                       ///< that make communicators
};

// Receives into scratch whose only use is one reduction: a schedule has one step for the two.

struct FusedReductions {
  std::map<std::int32_t, std::int32_t> reduction_of;  ///< by receive
  std::map<std::int32_t, std::int32_t> receive_of;    ///< by reduction
};

/// Of one rank. What the reduction had waited for besides its receive must not concern its memory: the step no longer waits for it.
FusedReductions fuse_reductions(const RankRecording& rank);

// Which receive took which send of a recording, and on which channel a schedule has the two.

struct MessagePair {
  std::int32_t source;
  std::int32_t send;  ///< operation of the source
  std::int32_t dest;
  std::int32_t receive;
  std::int32_t channel;
};

/// In the order of each source's sends. Messages of a stream come in order. Two messages from one rank to another have one channel where
/// the second was sent when the first had left and its receive was posted later; else they go side by side.
std::vector<MessagePair> pair_messages(const Recording& recording);

/// Whether `before` had ended when `operation` of the same rank began.
bool is_after(const RankRecording& rank, std::int32_t operation, std::int32_t before);

// From addresses that a rank used to chunks of its buffers.

/// Ranges that follow each other side by side are one.
std::vector<MemoryRange> joined_ranges(const std::vector<MemoryRange>& ranges);

class MemoryMap {
 public:
  /// What is neither of the rank's input nor of its output becomes scratch. `whole`: what input and output are called where they are one
  /// vector. All sizes are in elements from here on.
  MemoryMap(const RankRecording& rank, std::size_t element_size, ChunkBuffer whole);

  /// The largest size of chunks that all ranges are whole numbers of, `so_far` counted in (0: none yet).
  std::int64_t common_chunk(std::int64_t so_far) const;

  /// Chunks are so long from now on. Divides common_chunk(0).
  void set_chunk(std::int64_t elements);
  std::int32_t scratch_chunks() const { return scratch_chunks_; }

  struct Place {
    ChunkPlace place;
    std::int32_t chunks;
  };
  Place place_of(const MemoryRange& range) const;

 private:
  struct Area {
    const std::byte* begin;
    const std::byte* end;
    ChunkBuffer buffer;
    std::int32_t first_chunk = 0;
  };

  const Area& area_of(const MemoryRange& range) const;
  std::int64_t elements(std::ptrdiff_t bytes) const { return bytes / static_cast<std::ptrdiff_t>(element_size_); }

  std::size_t element_size_;
  std::vector<Area> areas_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;  ///< begin in its area, length
  std::int64_t chunk_ = 1;
  std::int32_t scratch_chunks_ = 0;
};

// A recording as a schedule that does the same.

/// What was called.
struct RecordedCall {
  std::string name;
  Collective collective = Collective::allreduce;
  std::int64_t count = 0;  ///< elements of the whole vector, of equal blocks where it has blocks
  int root = 0;
  bool in_place = true;
};

/// The same messages, each on a thread for its pair and channel; each step waits for what the rank had waited for. What is received and
/// reduced at once is one step (rrc). A message of several pieces is packed into scratch before, and taken apart after. Throws
/// InputError where the call's blocks are no whole number of elements.
ScheduleProgram recorded_program(const Recording& recording, const RecordedCall& call);

}  // namespace heddle
