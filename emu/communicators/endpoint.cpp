// SPDX-License-Identifier: Apache-2.0
#include "emu/communicators/endpoint.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/errors.hpp"
#include "emu/diagnosis/failure_text.hpp"
#include "emu/messages/argument_checks.hpp"
#include "emu/messages/overlap.hpp"

namespace heddle::emu {

namespace {

/// What a receive buffer shows to those who read it too early.
constexpr int kPoison = 0xA5;

constexpr Request handle(TaskId task, std::uint32_t slot, std::uint32_t generation) {
  // 24 bits of task, 20 of slot, 20 of generation: enough to distinguish a stale handle from a live one.
  return Request(std::uint64_t{task} << 40 | std::uint64_t{slot & 0xfffff} << 20 | (generation & 0xfffff));
}

/// The task's slot for a new request.
std::uint32_t begin_request(TaskState& state, bool is_send) {
  if (state.free_slot == TaskState::kNoSlot) require_room_for_request(state.slots.size());
  const std::uint32_t index = state.take_slot();
  RequestSlot& slot = state.slots[index];
  slot.state = RequestSlot::State::pending;
  slot.is_send = is_send;
  slot.awaited = false;
  slot.is_for_room = false;
  ++slot.generation;
  return index;
}

/// Two receives into the same memory: what would be there depends on which message comes last.
void require_apart(TaskState& state) {
  state.may_overlap = false;
  std::vector<UsedMemory> memory;
  memory.reserve(state.slots.size());
  for (std::uint32_t i = 0; i < state.slots.size(); ++i) {
    const RequestSlot& slot = state.slots[i];
    if (slot.state != RequestSlot::State::free && !slot.is_send) add_memory(memory, slot.into.span(), i);
  }
  const std::optional<Overlap> overlap = find_overlap(std::move(memory));
  if (!overlap) return;
  const auto text = [&state](std::uint32_t i) {
    const RequestSlot& slot = state.slots[i];
    return request_text(false, slot.count, slot.type, slot.peer, slot.key.tag);
  };
  throw UsageError(overlapping_receives_text(text(overlap->first), text(overlap->second), overlap->bytes));
}

constexpr std::uint32_t slot_of(Request request) { return static_cast<std::uint32_t>(request.id() >> 20 & 0xfffff); }

}  // namespace

Request Endpoint::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) const {
  require_rank(dest, size(), "isend to rank");
  const std::int64_t count = elements_of(pieces, "isend");
  TaskState& state = host.task(task);
  const std::uint32_t index = begin_request(state, true);
  RequestSlot& slot = state.slots[index];
  const ChannelKey key = channel_key(Rank(rank), dest, tag);
  slot.key = key;
  slot.count = count;

  const auto [id, taken] = host.take_message();
  Message& message = *taken;
  message.key = key;
  message.source = state.rank;
  message.dest = slot.peer = world_rank(dest);
  message.sender = task;
  message.sender_slot = index;
  message.payload.assign(pieces);
  message.from = Pieces<ConstVectorView>(pieces);
  slot.type = message.type();
  message.count = slot.count;
  message.wire_bytes = host.costs().wire_bytes(message.payload.size());
  message.round = message.source == message.dest ? state.round : state.round + 1;
  message.drained = false;
  message.credits_by_tag = state.shares_messages;
  message.contention_free = state.contention_free;
  message.verification = state.verification;
  slot.status = {dest, tag, message.count};
  state.effects.emplace_back(SendEffect{id});
  return handle(task, index, slot.generation);
}

Request Endpoint::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) const {
  if (source != kAnySource) require_rank(source, size(), "irecv from rank");
  const std::int64_t count = elements_of(pieces, "irecv");
  TaskState& state = host.task(task);
  const std::uint32_t index = begin_request(state, false);
  RequestSlot& slot = state.slots[index];
  slot.key = channel_key(source, Rank(rank), tag);
  slot.peer = source == kAnySource ? -1 : world_rank(source);
  slot.contention_free = state.contention_free;
  slot.into = Pieces<VectorView>(pieces);
  slot.type = slot.into.type();
  slot.count = count;
  if (!pieces.empty() && !pieces[0].empty()) {
    Hidden& hidden = state.hidden[index];
    const std::size_t bytes = std::min(hidden.size(), pieces[0].size_bytes());
    std::memcpy(hidden.data(), pieces[0].data(), bytes);
    std::memset(pieces[0].data(), kPoison, bytes);
  }
  if (++state.open_receives > 1) state.may_overlap = true;
  state.effects.emplace_back(ReceiveEffect{index});
  return handle(task, index, slot.generation);
}

Request Endpoint::ask_for_room(Rank dest, Tag tag) const {
  require_rank(dest, size(), "wait_for_room of rank");
  TaskState& state = host.task(task);
  const std::uint32_t index = begin_request(state, true);
  RequestSlot& slot = state.slots[index];
  slot.is_for_room = true;
  slot.key = channel_key(Rank(rank), dest, tag);
  slot.peer = world_rank(dest);
  slot.count = 0;
  slot.contention_free = state.contention_free;
  slot.status = {dest, tag, 0};
  state.effects.emplace_back(RoomEffect{index});
  return handle(task, index, slot.generation);
}

int Endpoint::begin_wait(std::span<const Request> requests) const {
  TaskState& state = host.task(task);
  const auto can_be_awaited = [&](Request request) {
    if (request.id() >> 40 != task || slot_of(request) >= state.slots.size()) return false;
    const RequestSlot& slot = state.slots[slot_of(request)];
    return slot.state != RequestSlot::State::free && (slot.generation & 0xfffff) == (request.id() & 0xfffff) && !slot.awaited;
  };
  if (state.may_overlap) [[unlikely]]
    require_apart(state);
  state.pending = 0;
  int receives = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!can_be_awaited(requests[i])) {
      for (const Request before : requests.first(i)) state.slots[slot_of(before)].awaited = false;
      throw UsageError("wait for a request that this task has not posted, or has waited for already");
    }
    RequestSlot& slot = state.slots[slot_of(requests[i])];
    slot.awaited = true;
    if (slot.state == RequestSlot::State::pending) ++state.pending;
    // A message to oneself takes no time, overhead included.
    if (!slot.is_send && slot.peer != state.rank) ++receives;
  }
  return receives;
}

void Endpoint::end_wait(std::span<const Request> requests, std::span<Status> statuses) const {
  TaskState& state = host.task(task);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RequestSlot& slot = state.slots[slot_of(requests[i])];
    state.round = std::max(state.round, slot.round);
    state.contention_free = std::max(state.contention_free, slot.contention_free);
    if (i < statuses.size()) statuses[i] = slot.status;
    if (!slot.is_send) --state.open_receives;
    slot.state = RequestSlot::State::free;
    slot.awaited = false;
  }
  // The first is taken first again: a slot stays what it was, a send's or a receive's, and less memory is touched.
  for (std::size_t i = requests.size(); i-- > 0;) {
    const std::uint32_t index = slot_of(requests[i]);
    state.slots[index].next_free = std::exchange(state.free_slot, index);
  }
}

}  // namespace heddle::emu
