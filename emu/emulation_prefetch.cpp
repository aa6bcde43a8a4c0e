// SPDX-License-Identifier: Apache-2.0
// Thousands of ranks act at one instant and their state fits no cache: what an event will need is fetched while those before it
// run. Nothing here changes what happens.
#include <algorithm>
#include <span>

#include "emu/emulated_communicator.hpp"
#include "emu/emulation.hpp"
#include "emu/schedule_steps.hpp"

namespace heddle::emu {

namespace {

/// Beyond, the processor's own prefetchers have caught on.
constexpr std::size_t kLongestPrefetch = 512;

/// Requests of a strand that are looked at: more of them take longer than they gain.
constexpr std::size_t kFewSlots = 2;

/// Of a schedule whose size only its maker knows.
constexpr std::size_t kScheduleBytes = 320;

/// All lines of an object of this size.
[[gnu::always_inline]] inline void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(object) + line);
}

template <class View>
[[gnu::always_inline]] inline void prefetch_start(std::span<const View> pieces) {
  if (!pieces.empty()) prefetch(pieces[0].data(), std::min(pieces[0].size_bytes(), kLongestPrefetch));
}

}  // namespace

void Emulation::expect_effect(StrandId id, int stage) {
  const StrandState& strand = strands_[id];
  if (stage == 0) prefetch(&strand, sizeof strand);
  if (stage == 1 && !strand.posts.empty()) prefetch(strand.posts.data(), strand.posts.size() * sizeof(Post));
  if (stage == 2 && !strand.posts.empty()) {
    mailbox_.prefetch(strand.send_channel);
    mailbox_.prefetch(strand.receive_channel);
    for (const Post& post : strand.posts) {
      if (const auto* send = std::get_if<SendPost>(&post)) prefetch(&messages_[send->message], sizeof(Message));
    }
  }
}

bool Emulation::expect_turn(StrandId id, int stage) {
  const StrandState& strand = strands_[id];
  if (stage == 0) {
    prefetch(&strand, StrandState::kHotBytes);
    return true;
  }
  if (stage == 1) {
    mailbox_.prefetch(strand.send_channel);
    mailbox_.prefetch(strand.receive_channel);
    __builtin_prefetch(strand.reduced);
    if (strand.steps)
      prefetch(strand.steps, sizeof(ScheduleSteps));
    else if (strand.communicator)
      prefetch(strand.communicator, sizeof(EmulatedCommunicator));
    for (std::size_t i = 0; i < std::min(strand.slots.size(), kFewSlots); ++i) prefetch_start(strand.slots[i].into.span());
  }
  if (stage == 2 && strand.steps) prefetch(strand.steps->schedule(), kScheduleBytes);
  return strand.steps == nullptr;
}

/// Those that are taken next.
void Emulation::expect_posted() const {
  constexpr std::size_t kAhead = 8;
  if (free_messages_.size() > kAhead) prefetch(&messages_[*(free_messages_.end() - kAhead)], sizeof(Message));
}

/// The receiver runs ahead: it takes the message next.
void Emulation::expect_next_message(ChannelId channel) const {
  if (const MessageId* next = mailbox_.first_message(channel)) prefetch(&messages_[*next], sizeof(Message));
}

void Emulation::expect_drained(MessageId id, int stage) {
  const Message* message = &messages_[id];
  if (stage == 0) return prefetch(message, sizeof *message);
  // Once it has drained, its sender may be gone: the event is an old one.
  if (message->drained) return;
  const StrandState& sender = strands_[message->sender];
  if (stage == 1) {
    __builtin_prefetch(&sender);
    __builtin_prefetch(&sender.slots);
    prefetch_start(message->from.span());
  }
  if (stage == 2) __builtin_prefetch(&sender.slots[message->sender_slot]);
}

void Emulation::expect_arrived(MessageId id, int stage) {
  const Message* message = &messages_[id];
  if (stage == 0) return prefetch(message, sizeof *message);
  if (stage == 1) return mailbox_.prefetch(message->channel);
  const ReceiveId* receive = mailbox_.first_receive(message->channel);
  if (!receive) return;
  const StrandState& receiver = strands_[receive->strand()];
  if (stage == 2) {
    __builtin_prefetch(&receiver);
    __builtin_prefetch(&receiver.slots);
    prefetch(&receiver.path, sizeof receiver.path);
  }
  if (stage == 3) prefetch(&receiver.slots[receive->slot()], sizeof(RequestSlot));
  if (stage == 4) prefetch_start(receiver.slots[receive->slot()].into.span());
}

}  // namespace heddle::emu
