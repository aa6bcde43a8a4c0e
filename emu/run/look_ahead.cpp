// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <variant>

#include "emu/engine/tasks.hpp"
#include "emu/messages/emulated_communicator.hpp"
#include "emu/messages/endpoint.hpp"
#include "emu/run/emulation.hpp"

namespace heddle::emu {

namespace {

/// Beyond, the processor's own prefetchers have caught on.
constexpr std::size_t kLongestPrefetch = 512;

/// Requests of a task that are looked at: more of them take longer than they gain.
constexpr std::size_t kFewSlots = 2;

/// Of a schedule whose size only its maker knows.
constexpr std::size_t kScheduleBytes = 320;

template <class View>
inline void prefetch_start(std::span<const View> pieces) {
  if (!pieces.empty()) prefetch(pieces[0].data(), std::min(pieces[0].size_bytes(), kLongestPrefetch));
}

}  // namespace

void LookAhead::expect_effect(TaskId id, int stage) const {
  const TaskState& task = tasks_[id];
  if (stage == 0) prefetch(&task, TaskState::kHotBytes);
  if (stage == 1 && !task.effects.empty()) prefetch(task.effects.data(), task.effects.size() * sizeof(Effect));
  if (stage == 2 && !task.effects.empty()) {
    mailbox_.prefetch(task.send_channel);
    mailbox_.prefetch(task.receive_channel);
    for (const Effect& effect : task.effects) {
      if (const auto* send = std::get_if<SendEffect>(&effect)) prefetch(&messages_[send->message], sizeof(Message));
    }
  }
}

bool LookAhead::expect_turn(TaskId id, int stage) const {
  const TaskState& task = tasks_[id];
  if (stage == 0) {
    prefetch(&task, TaskState::kHotBytes);
    return true;
  }
  if (stage == 1) {
    mailbox_.prefetch(task.send_channel);
    mailbox_.prefetch(task.receive_channel);
    prefetch_line(task.reduced);
    if (task.steps)
      prefetch(task.steps, sizeof(ScheduleSteps));
    else if (task.communicator)
      prefetch(task.communicator, sizeof(EmulatedCommunicator));
    for (std::size_t i = 0; i < std::min(task.slots.size(), kFewSlots); ++i)
      if (!task.slots[i].is_send) prefetch_start(task.slots[i].into.span());
  }
  if (stage == 2 && task.steps) prefetch(task.steps->schedule(), kScheduleBytes);
  return task.steps == nullptr;
}

void LookAhead::expect_next_message(ChannelId channel) const {
  if (const MessageId* next = mailbox_.first_message(channel)) prefetch(&messages_[*next], sizeof(Message));
}

void LookAhead::expect_drained(MessageId id, int stage) const {
  const Message* message = &messages_[id];
  if (stage == 0) return prefetch(message, sizeof *message);
  // Once it has drained, its sender may be gone: the event is an old one.
  if (message->drained) return;
  const TaskState& sender = tasks_[message->sender];
  if (stage == 1) {
    prefetch_line(&sender);
    prefetch_line(&sender.slots);
    prefetch_start(message->from.span());
  }
  if (stage == 2) prefetch_line(&sender.slots[message->sender_slot]);
}

void LookAhead::expect_arrived(MessageId id, int stage) const {
  const Message* message = &messages_[id];
  if (stage == 0) return prefetch(message, sizeof *message);
  if (stage == 1) return mailbox_.prefetch(message->channel);
  const ReceiveId* receive = mailbox_.first_receive(message->channel);
  if (!receive) return;
  const TaskState& receiver = tasks_[receive->task()];
  if (stage == 2) {
    prefetch_line(&receiver);
    prefetch_line(&receiver.slots);
    prefetch(&receiver.path, sizeof receiver.path);
  }
  if (stage == 3) prefetch(&receiver.slots[receive->slot()], sizeof(RequestSlot));
  if (stage == 4) prefetch_start(receiver.slots[receive->slot()].into.span());
}

}  // namespace heddle::emu
