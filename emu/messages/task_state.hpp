// SPDX-License-Identifier: Apache-2.0
// What a run keeps for each task, and the task's requests.
#pragma once

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emu/engine/task_identity.hpp"
#include "emu/engine/tasks.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/message_id.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/messages/special_calls.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

// What a task has asked for since it last ran. It takes effect when the task stops, on the engine's thread.

enum class MessageSpace : std::uint8_t;

struct PendingSend {
  MessageId message;
};
struct PendingReceive {
  std::uint32_t slot;
};
/// Of wait_for_room(): the slot is that of a request that completes once there is room.
struct PendingRoom {
  std::uint32_t slot;
};
struct PendingWork {
  enum class Kind : std::uint8_t { local_work, overhead, idle };
  Time duration;
  Kind kind;
};
/// Of concurrently() and concurrently_shared().
struct PendingBranches {
  int tasks;
  MessageSpace space;
  const std::function<void(int, MeasuredCommunicator&)>* body;
  std::shared_ptr<const Group> group;
  int rank;                      ///< in the group
  int depth;                     ///< as PendingPhase has it
  std::uint32_t parent_context;  ///< of the communicator that was asked
  std::uint32_t call;            ///< of concurrently(): how many times it had been asked that before
};
struct PendingSwitchCall {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t context;
  std::uint32_t call;  ///< how many times this communicator's switches had been asked before
  Collective collective;
  const CollectiveArguments* arguments;  ///< on the stack of the task, which is blocked
};

/// Of phase(), where somebody looks on.
struct PendingPhase {
  int depth;  ///< of the communicator that was asked: it lies so many split() and concurrently() below the rank's own
  std::string name;
};

/// Sends and receives are many, and kept small for it.
using PendingOperation = std::variant<PendingSend, PendingReceive, PendingRoom, PendingWork, std::unique_ptr<PendingBranches>,
                                      std::unique_ptr<SplitCall>, std::unique_ptr<PendingSwitchCall>,
                                      std::unique_ptr<PendingPhase>, PendingQuestion, PendingFree, PendingChoice, PendingProbe,
                                      PendingTakenReceive, PendingDoze, std::unique_ptr<PendingStart>, PendingForm>;

/// A send or a receive that the task has asked for and not yet waited for.
struct RequestSlot {
  enum class State : std::uint8_t { free, pending, complete };
  enum class Kind : std::uint8_t {
    plain,
    for_room,  ///< a send's, which asks for room and has no message
    special,   ///< there is more of it in SpecialCalls::requests
  };

  State state = State::free;
  bool is_send = false;
  bool awaited = false;
  Kind kind = Kind::plain;
  bool waits = false;            ///< as SendOptions has it
  std::uint32_t generation = 0;  ///< of this slot: an old handle does not fit a new request
  std::uint32_t next_free = 0;   ///< the slot to be taken after this one, if both are free
  ChannelKey key{};
  int peer = -1;  ///< world rank of the other side; -1: any source
  int round = 0;
  Time contention_free;  ///< when it was asked for, then when it is complete, had no message shared a link
  struct Outcome {
    Rank peer;
    Tag tag;
    std::int64_t count;
  };
  Outcome status{};        ///< as Status has it
  std::int64_t count = 0;  ///< elements asked for
  Datatype type = Datatype::user(1);
  Pieces<VectorView> into;  ///< of a send: where it sends from, which nobody writes to by this
};

/// What a receive buffer shows to those who read it too early.
inline constexpr std::byte kReceivePoison{0xA5};

/// The first bytes of a receive buffer are poisoned until the message is there; where it is shorter, they come back.
using Hidden = std::array<std::byte, 64>;

class BlockingWatch;
class ExchangeSteps;

struct alignas(64) TaskState {
  enum class Blocked : std::uint8_t {
    no,
    requests,
    children,
    split,
    in_network,
    work,
    stopped,
    question,  ///< answered at this timestamp
    probe,
    doze,
    form,
    second_call,  ///< until all ranks make it
  };

  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  // What every message needs, in as few cache lines as it fits: first what leads to the rest.
  int rank = 0;                ///< world
  std::uint32_t pending = 0;   ///< requests that it waits for
  int round = 0;               ///< of the messages that it has waited for
  ChannelId send_channel = 0;  ///< the last ones used: a neighbour's, often
  ChannelId receive_channel = 0;
  std::uint32_t free_slot = kNoSlot;  ///< the first of the free ones
  std::uint32_t unseen = 0;           ///< how many times it may block before its watch looks again
  Blocked blocked = Blocked::no;
  bool second_call = false;        ///< as its rank
  bool has_failed = false;         ///< with what `failure` holds
  bool shares_messages = false;    ///< with other tasks of its rank: a branch of concurrently_shared()
  ExchangeSteps* steps = nullptr;  ///< that the engine takes in its place; nullptr: none
  BlockingWatch* watch = nullptr;  ///< who looks on whenever it blocks; nullptr: nobody
  Time contention_free;            ///< when it last woke, had no message shared a link
  CriticalPath path;               ///< of the timestamp at which it last woke
  boost::container::small_vector<PendingOperation, 2> operations;  ///< in the order in which it has asked for them
  std::int64_t messages_sent = 0;  ///< by the task alone; added to its rank's report when it ends
  Bytes sent;
  Bytes received;
  OpenMemory open;  ///< of requests that have not been waited for to their end
  boost::container::small_vector<RequestSlot, 2> slots;
  boost::container::small_vector<Hidden, 2> hidden;  ///< what a slot's poison covers; read for short messages alone

  AddressRange asked_for;              ///< what was to be sent when OpenMemory::is_unchecked was set last
  AddressRange free_of_receives;       ///< around it, as far as was found: OpenMemory::knows_free_range
  const MemoryNames* names = nullptr;  ///< what its rank's vectors are called; nullptr: nothing

  int number = 0;  ///< among the rank's tasks, in the order of their making; 0 is the rank itself
  /// The number of the first task of the call that this one comes of, one way or another, which the rank itself made; 0 for
  /// the rank itself. While a call goes on, no tasks run but those of its family.
  int family = 0;
  std::shared_ptr<const Group> group;
  int group_rank = 0;
  std::uint32_t context = 0;

  Time blocked_since;
  std::uint32_t phase = CriticalPath::kNoRecord;  ///< in Timeline::phases, where one is kept
  Time phase_since;
  int depth = 0;  ///< of its first communicator: 1 more than that of the one whose concurrently() it is a branch of
  std::shared_ptr<ExchangeSteps> last;  ///< its function has ended, and these are left; nullptr: none
  TaskIdentity identity;                ///< its branches', whose parent it is, lead here
  TaskId parent = 0;
  std::uint32_t children_left = 0;
  int children_round = 0;
  Time children_contention_free;
  std::shared_ptr<const Group> split_group;  ///< what split() has made
  std::uint32_t split_context = 0;
  int split_rank = 0;
  std::uint32_t in_network_call = 0;  ///< that it takes part in

  // Of a rank that is to throw or to stop.
  bool counts_calls = false;
  std::int64_t calls = 0;  ///< made on communicators since then, in the longest chain of tasks
  const RankFault* stopped_by = nullptr;
  const char* stopped_in = "";  ///< the call that it was about to make
  Time stopped_at = {};

  std::unique_ptr<SpecialCalls> special;  ///< nullptr: it has made none

  bool is_unwinding = false;  ///< by an exception that has left a function, and waits in a destructor
  std::exception_ptr failure;

  /// Fetches into the cache what two requests use: a receive, and a send behind it.
  void prefetch() const {
    const auto* const begin = reinterpret_cast<const std::byte*>(this);
    emu::prefetch(begin, static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&hidden) - begin));
  }

  /// A free one of `slots`.
  std::uint32_t take_slot() {
    if (free_slot == kNoSlot) {
      slots.emplace_back();
      hidden.resize(slots.size(), boost::container::default_init);
      return static_cast<std::uint32_t>(slots.size() - 1);
    }
    return std::exchange(free_slot, slots[free_slot].next_free);
  }
  /// A slot has had its time. Whoever takes the next one gets it.
  void give_back_slot(std::uint32_t index) {
    RequestSlot& slot = slots[index];
    if (slot.is_send)
      open.end_send();
    else
      open.end_receive();
    slot.state = RequestSlot::State::free;
    slot.awaited = false;
    slot.next_free = std::exchange(free_slot, index);
  }

  /// From its first byte on, poison covers so many of a receive.
  std::size_t poisoned_bytes(std::uint32_t index) const {
    const RequestSlot& slot = slots[index];
    const std::span<const VectorView> into = slot.into.span();
    const std::size_t bytes = into.empty() ? 0 : std::min(sizeof(Hidden), into[0].size_bytes());
    return slot.kind == RequestSlot::Kind::special ? std::min(bytes, special->requests[index].apart) : bytes;
  }

  SpecialCalls& special_calls() {
    if (!special) special = std::make_unique<SpecialCalls>();
    return *special;
  }
};

// The tasks of a run by id: their state, and which of them live.

/// A task's own thread uses its own state; all else belongs to the engine's thread.
class TaskTable {
 public:
  /// A state stays where it is as others come.
  TaskState& operator[](TaskId id) { return tasks_[id]; }
  const TaskState& operator[](TaskId id) const { return tasks_[id]; }
  /// Ids are below that.
  TaskId size() const { return static_cast<TaskId>(tasks_.size()); }

  /// A task lives from now on, with a state that is as new.
  TaskState& begin(TaskId id) {
    if (id >= tasks_.size()) tasks_.grow(id + std::size_t{1}), live_.resize(id + std::size_t{1});
    live_[id] = true;
    goes_on();
    return tasks_[id] = TaskState();
  }
  /// It has ended. Its state stays until another task has its id.
  void end(TaskId id) {
    live_[id] = false;
    --acting_;
  }
  bool is_live(TaskId id) const { return live_[id]; }

  /// One waits for branches of its own, or does so no longer.
  void waits_for_branches() { --acting_; }
  void goes_on() { peak_ = std::max(peak_, ++acting_); }

  /// How many live, without those that wait for branches of their own.
  std::size_t acting() const { return static_cast<std::size_t>(acting_); }
  /// The most that have lived at once, without those that waited for branches of their own.
  int peak() const { return peak_; }

 private:
  ChunkedVector<TaskState, 8> tasks_;  // most runs that fuzzing makes have no more
  std::vector<bool> live_;
  int acting_ = 0;
  int peak_ = 0;
};

}  // namespace heddle::emu
