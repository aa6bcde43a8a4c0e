// SPDX-License-Identifier: Apache-2.0
// Where a task stands in a group: its sends and receives, from their beginning to their end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/argument_checks.hpp"
#include "emu/messages/channel_table.hpp"
#include "emu/messages/host.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/messages/special_calls.hpp"
#include "heddle/communicator.hpp"
#include "heddle/messages.hpp"

namespace heddle::emu {

/// What the task asked for with this request. Its place is nullptr where nobody knows it.
PlacedCall placed_call(const TaskState& task, std::uint32_t slot);

struct Endpoint {
  Host& host;
  TaskId task;
  int rank;  ///< in the group
  std::uint32_t context;
  std::shared_ptr<const Group> group;

  int size() const { return static_cast<int>(group->members.size()); }

  /// As those of Communicator: they take effect when the task blocks.
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) const {
    return isend(dest, pieces, elements_of(pieces, "isend"), tag);
  }
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) const {
    return irecv(source, pieces, elements_of(pieces, "irecv"), tag);
  }
  /// For who knows already that the pieces have so many elements, of one type.
  /// `waits`: as SendOptions has it.
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, std::int64_t count, Tag tag, bool waits = false) const;
  Request irecv(Rank source, std::span<const VectorView> pieces, std::int64_t count, Tag tag, bool waits = false) const;
  /// Completes once a message to `dest` with this tag would leave at once.
  Request ask_for_room(Rank dest, Tag tag) const;

  // As those of Communicator.
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) const;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) const;
  Request imrecv(const TakenMessage& taken, std::span<const VectorView> pieces, const ReceiveOptions& options) const;
  bool ask(Question::Kind kind, Request request, const char* call) const;
  void free_request(Request request) const;
  /// What a probe has found; no value: nothing. `waits`: until there is something.
  std::optional<TakenMessage> probe(Rank source, Tag tag, bool takes, bool waits) const;
  bool doze(const Polling& polling, Time limit) const;
  /// A request that completes when a task has ended: its slot.
  std::uint32_t begin_task_request() const;
  Request request_of(std::uint32_t slot) const;
  /// From now on the task waits for the first of these to complete: TaskState::pending is 0 if one has. As begin_wait else.
  void begin_wait_any(std::span<const Request> requests) const;
  /// The first that has completed ends, the others are let go: its index, and whether it has received a message of another rank.
  std::pair<std::size_t, bool> end_wait_any(std::span<const Request> requests, Status* status) const;

  /// From now on the task waits for these; TaskState::pending is how many have not completed. How many are receives. Throws
  /// UsageError for what the task has not asked for, or has waited for already.
  int begin_wait(std::span<const Request> requests) const;
  /// As that, for who has just posted them all.
  void begin_wait_for_new(std::span<const Request> requests) const;
  /// All have completed: what came of them; they are free again. `statuses` may be shorter.
  void end_wait(std::span<const Request> requests, std::span<Status> statuses) const;
  /// What came of one that has completed and not ended.
  Status status(Request request) const;

  /// The task itself reads `from` and writes `into`, as `what` ("copy") does. Throws UsageError where a request forbids it.
  void require_usable(const char* what, VectorView into, ConstVectorView from) const;

 private:
  /// Whether the answer to a question is known: it has slept in vain since it asked, nothing has happened to it, and all that it has
  /// asked for has taken effect. Such a question needs no time slice. Not for ever: who asks on without a sleep is to be found.
  bool would_learn_nothing() const;
  /// Whether a request is one of several that are looked at one after the other: it was not asked for since the last question, and
  /// nothing has happened since. So a look at thousands of them is one time slice, and asking on for one is not.
  bool goes_on_looking(std::uint32_t slot) const;
  RequestSlot* open_slot(Request request) const;
  std::uint32_t require_open(Request request, const char* call) const;
  /// Of one that is asked for, and may meet what is open or itself.
  [[gnu::noinline]] void look_at_receive(std::span<const VectorView> pieces, const AddressRange& range, Rank source,
                                         std::int64_t count, Tag tag) const;
  [[gnu::noinline]] void look_at_send(std::span<const ConstVectorView> pieces, const AddressRange& range, Rank dest,
                                      std::int64_t count, Tag tag) const;
  OpenRequest asked(bool is_send, Rank peer, std::vector<ConstVectorView> places, std::int64_t count, Tag tag) const;
  ChannelKey channel_key(Rank source, Rank dest, Tag tag) const { return {context, source.value(), dest.value(), tag.value()}; }
  int world_rank(Rank of) const { return group->members[static_cast<std::size_t>(of.value())]; }
};

}  // namespace heddle::emu
