// SPDX-License-Identifier: Apache-2.0
// Messages between ranks that share their memory: matched by whoever comes second, copied by the receiver.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "core/argument_checks.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

bool is_for(const ChannelKey& message, const ChannelKey& receive) {
  return message.context == receive.context && message.dest == receive.dest &&
         (receive.tag == kAnyTag.value() || message.tag == receive.tag) &&
         (receive.source == kAnySource.value() || message.source == receive.source);
}

/// Visits, in order, parts of equal length of where a message comes from and where it goes, which has room.
template <class Visit>
void pair_parts(std::span<const ConstVectorView> from, std::span<const VectorView> into, const Visit& visit) {
  std::size_t piece = 0;
  std::int64_t filled = 0;
  for (const ConstVectorView& source : from) {
    for (std::int64_t taken = 0; taken < source.count();) {
      while (filled == into[piece].count()) ++piece, filled = 0;
      const std::int64_t count = std::min(source.count() - taken, into[piece].count() - filled);
      visit(source.slice(taken, count), into[piece].slice(filled, count));
      taken += count;
      filled += count;
    }
  }
}

/// In pieces: from some megabytes on, memcpy writes past the caches, which here takes a fifth longer.
void copy(VectorView into, ConstVectorView from) {
  constexpr std::size_t kPiece = std::size_t{64} * 1024;
  for (std::size_t begin = 0; begin < from.size_bytes(); begin += kPiece)
    std::memcpy(into.data() + begin, from.data() + begin, std::min(kPiece, from.size_bytes() - begin));
}

/// Copies the message to where it was asked for, or combines it with what is there.
void deliver(std::span<const ConstVectorView> message, const InMemoryRuntime::Receive& receive) {
  pair_parts(message, receive.into.span(), [&receive](ConstVectorView from, VectorView into) {
    if (receive.op)
      receive.op->apply(into, from, receive.side);
    else
      copy(into, from);
  });
}

}  // namespace

std::uint32_t InMemoryRuntime::take_slot(Task& task) {
  if (task.free_slots.empty()) {
    require_room_for_request(task.slots.size());
    task.slots.emplace_back();
    return static_cast<std::uint32_t>(task.slots.size() - 1);
  }
  const std::uint32_t slot = task.free_slots.back();
  task.free_slots.pop_back();
  return slot;
}

namespace {

/// Of one task, for who looks closely at their memory.
struct OpenInMemory {
  const std::vector<InMemoryRuntime::Slot>& slots;

  template <class Visit>
  void each(const Visit& visit) const {
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      if (slots[i].send) visit(i, true, slots[i].send->from.span());
      if (slots[i].receive) visit(i, false, slots[i].receive->into.span());
    }
  }
  OpenRequest request(std::uint32_t i) const {
    const InMemoryRuntime::Slot& slot = slots[i];
    if (slot.send) return {true, places_of(slot.send->from.span()), slot.text()};
    return {false, places_of(slot.receive->into.span()), slot.text()};
  }
};

}  // namespace

void InMemoryRuntime::require_apart(Task& task, const OpenRequest& asked) {
  if (task.slots.size() <= kFewOpenRequests)
    return emu::require_apart(
        asked.is_send, std::span<const ConstVectorView>(asked.pieces), [&asked] { return asked; }, OpenInMemory{task.slots},
        task.names);
  task.open.is_unchecked = true;
}

void InMemoryRuntime::require_all_apart(Task& task) {
  task.open.is_unchecked = false;
  emu::require_all_apart(OpenInMemory{task.slots}, task.names);
}

void InMemoryRuntime::require_usable(const Task& task, const char* what, VectorView into, ConstVectorView from) {
  emu::require_usable(what, into, from, task.open, OpenInMemory{task.slots}, task.names);
}

void InMemoryRuntime::send(const std::shared_ptr<Send>& send, bool is_ready) {
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(send->dest)];
  std::shared_ptr<Receive> receive;
  {
    const std::lock_guard lock(mailbox.mutex);
    const auto place = std::find_if(mailbox.receives.begin(), mailbox.receives.end(),
                                    [&](const auto& posted) { return is_for(send->key, posted->key); });
    if (place == mailbox.receives.end()) {
      if (is_ready)
        throw UsageError(
            fmt::format("rank {} sent {} in ready mode, and rank {} has posted no receive for it; the receive must be "
                        "posted before, or the mode be standard",
                        send->source, send->text(), send->dest));
      mailbox.sends.push_back(send);
      return;
    }
    receive = std::move(*place);
    mailbox.receives.erase(place);
  }
  receive->message = send;
  receive->is_matched = true;
  signal(*receive->receiver);
}

void InMemoryRuntime::receive(const std::shared_ptr<Receive>& receive) {
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(receive->rank)];
  const std::lock_guard lock(mailbox.mutex);
  const auto place = std::find_if(mailbox.sends.begin(), mailbox.sends.end(),
                                  [&](const auto& posted) { return is_for(posted->key, receive->key); });
  if (place == mailbox.sends.end()) {
    mailbox.receives.push_back(receive);
    return;
  }
  receive->message = std::move(*place);
  receive->is_matched = true;
  mailbox.sends.erase(place);
}

bool InMemoryRuntime::progress(Task& task) {
  bool has_come = false;
  for (const Slot& slot : task.slots) {
    if (!slot.receive || slot.receive->is_done || !slot.receive->is_matched) continue;
    take_in(*slot.receive);
    has_come = true;
  }
  return has_come;
}

void InMemoryRuntime::require_fit(const Receive& receive) {
  const Send& message = *receive.message;
  const auto refuse = [&](CheckError::Kind kind, const char* why) {
    fail(kind, fmt::format("{} {}: rank {} asked for {}{}", message.text(), why, receive.rank,
                           count_text(receive.count, receive.type), receive.peer < 0 ? " from any rank" : ""));
    goes_on(*receive.receiver);
  };
  if (message.from.size_bytes() > static_cast<std::size_t>(receive.count) * receive.type.size())
    refuse(CheckError::Kind::truncation, "is longer than its receive");
  if (message.type != receive.type && message.count > 0 && receive.count > 0)
    refuse(CheckError::Kind::usage, "meets a receive of another type");
  if (receive.op && message.count < receive.count)
    refuse(CheckError::Kind::usage, "is shorter than what it is to be combined with");
}

void InMemoryRuntime::take_in(Receive& receive) {
  require_fit(receive);
  Send& message = *receive.message;
  receive.status = {Rank(message.key.source), Tag(message.key.tag), message.count, message.label};
  if (message.is_kept) {
    const ConstVectorView kept(message.kept.bytes(), message.count, message.type);
    deliver(std::span(&kept, 1), receive);
  } else {
    Send::State open = Send::State::open;
    if (!message.state.compare_exchange_strong(open, Send::State::taken)) {  // its sender has failed, and is about to say so
      while (!is_over_) std::this_thread::yield();
      goes_on(*receive.receiver);
    }
    const auto give_back = [&] {
      message.state = Send::State::done;
      signal(*message.sender);
    };
    try {
      deliver(message.from.span(), receive);
    } catch (...) {  // a user's operation may
      give_back();
      throw;
    }
    give_back();
  }
  receive.is_done = true;
}

/// Before the memory goes that they are to be copied from.
void InMemoryRuntime::withdraw_sends(Task& task) {
  for (const Slot& slot : task.slots) {
    if (!slot.send || slot.send->is_kept) continue;
    Send::State open = Send::State::open;
    if (slot.send->state.compare_exchange_strong(open, Send::State::withdrawn)) continue;
    while (slot.send->state == Send::State::taken) std::this_thread::yield();
  }
}

}  // namespace heddle::emu
