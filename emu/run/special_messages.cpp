// SPDX-License-Identifier: Apache-2.0
// Of the life of a message, what most messages do without: modes and labels, and those who look at it without receiving it.
#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string>

#include "emu/record/failure.hpp"
#include "emu/run/call_places.hpp"
#include "emu/run/message_flow.hpp"

namespace heddle::emu {

// ---- sent in a mode, with a label ----

/// It goes as its mode says.
void MessageFlow::take_special(TaskId task, MessageId id, const Cause& cause) {
  run_.makes_special_calls = true;
  Message& message = run_.messages[id];
  SpecialMessage& special = run_.messages.special(id);
  if (run_.recorder.wants_places()) run_.recorder.note_call(message, sent_by(run_.describer, message, special));
  if (special.mode == SendMode::ready && !mailbox_.expects_last_message(message.channel)) {
    run_.failure.fail(CheckError::Kind::usage,
                      fmt::format("rank {} sent {} in ready mode at {}, and rank {} has posted no receive for it; the receive "
                                  "must be posted before, or the mode be standard",
                                  message.source, text_of(message), to_string(run_.engine.now()), message.dest),
                      {.rank = message.source});
    return;
  }
  if (special.mode == SendMode::buffered && !special.is_unawaited) {
    await_no_more(id);
    complete(task, message.sender_slot, message.round, cause, message.contention_free);
  }
  if (is_synchronous(id, message)) return show(id, message.channel, cause);
  const bool has_bound = message.source != message.dest && credits_per_pair_.has_value();
  if (!has_bound || credits_.take(credits_of(message), id)) inject(id, cause);
}

/// From now on it is sent from its copy.
void MessageFlow::await_no_more(MessageId id) {
  Message& message = run_.messages[id];
  const ConstVectorView copy(message.payload.bytes(), message.count, message.type());
  message.from.assign(std::span(&copy, 1));
  run_.messages.special(id).is_unawaited = true;
}

/// As show(), and those that look for messages are told.
void MessageFlow::show_watched(MessageId id, const Cause& cause) {
  const Message& message = run_.messages[id];
  const int dest = message.dest;
  const CriticalPath path = *cause.base;  // a task that wakes gets another
  Cause kept = cause;
  kept.base = &path;
  mailbox_.make_visible(message.channel, id, pairings_);
  deliver_pairings(kept);
  if (!run_.failure.has_failed()) watch_->message_came(dest, kept);
}

void MessageFlow::let_go(TaskId task, std::uint32_t slot) {
  for (MessageId id = 0; id < run_.messages.size(); ++id) {
    Message& message = run_.messages[id];
    if (message.sender != task || message.sender_slot != slot || message.drained) continue;
    SpecialMessage& special = message.is_special ? run_.messages.special(id) : *run_.messages.make_special(id);
    message.is_special = true;
    if (!special.is_unawaited) await_no_more(id);
  }
}

/// What came tells more than a plain message, or the receive asked for more.
void MessageFlow::note_special_receive(MessageId id, const Message& message, ReceiveId receive) {
  TaskState& task = run_.tasks[receive.task()];
  RequestSlot& slot = task.slots[receive.slot()];
  SpecialRequest& request = task.special_calls().request(receive.slot());
  if (slot.kind != RequestSlot::Kind::special) request = {};
  slot.kind = RequestSlot::Kind::special;
  request.got = message.is_special ? run_.messages.special(id).label : 0;
}

// ---- looked at ----

void MessageFlow::tell(MessageId id, Probe& probe) const {
  const Message& message = run_.messages[id];
  probe.message = id;
  probe.status = {Rank(message.key.source), Tag(message.key.tag), message.count,
                  message.is_special ? run_.messages.special(id).label : 0};
}

bool MessageFlow::look(TaskId task, Probe& probe) {
  begin_any_tag(probe.key.tag);
  const std::optional<MessageId> found = mailbox_.find(probe.key, task);
  if (found) tell(*found, probe);
  return found.has_value();
}

bool MessageFlow::take_out(TaskId id, Probe& probe) {
  begin_any_tag(probe.key.tag);
  const std::optional<MessageId> found = mailbox_.take(probe.key, id, pairings_);
  if (!found) return false;
  tell(*found, probe);
  taken_.push_back(*found);
  const TaskState& task = run_.tasks[id];
  deliver_pairings({.base = &task.path, .contention_free = task.contention_free});
  return true;
}

void MessageFlow::take(TaskId id, const PendingTakenReceive& operation) {
  TaskState& task = run_.tasks[id];
  const RequestSlot& slot = task.slots[operation.slot];
  run_.recorder.note_receive(slot, task.rank);
  std::erase(taken_, operation.message);
  pairings_.push_back({{id, operation.slot}, operation.message});
  deliver_pairings({.base = &task.path, .contention_free = slot.contention_free});
}

bool MessageFlow::withdraw(TaskId id, std::uint32_t index) {
  TaskState& task = run_.tasks[id];
  RequestSlot& slot = task.slots[index];
  if (!mailbox_.remove_receive(slot.key, {id, index})) return false;
  if (const std::span<const VectorView> into = slot.into.span(); !into.empty() && !into[0].empty())
    std::memcpy(into[0].data(), task.hidden[index].data(), task.poisoned_bytes(index));
  run_.recorder.note_withdrawn(slot, task.rank);
  task.give_back_slot(index);
  return true;
}

bool MessageFlow::withdraw_send(TaskId id, std::uint32_t index) {
  TaskState& task = run_.tasks[id];
  if (task.slots[index].kind != RequestSlot::Kind::special || task.special->requests[index].is_task) return false;
  const MessageId number = task.special->requests[index].message;
  const Message& message = run_.messages[number];
  // One that has been received may have given its place to another.
  if (message.sender != id || message.sender_slot != index) return false;
  const std::optional<bool> was_visible = mailbox_.remove_message(message.channel, number, pairings_);
  if (!was_visible) return false;
  await_no_more(number);
  task.give_back_slot(index);
  const Cause cause{.base = &task.path, .contention_free = task.contention_free};
  if (*was_visible)
    drop(number, cause);
  else
    run_.messages.special(number).is_withdrawn = true;
  deliver_pairings(cause);
  return true;
}

/// It has arrived, or never leaves, and nobody receives it.
void MessageFlow::drop(MessageId id, const Cause& cause) {
  const Message& message = run_.messages[id];
  if (credits_per_pair_.value_or(0) > 0 && !is_synchronous(id, message))
    give_credit_back(message, cause, message.contention_free);
  run_.messages.give_back(id);
}

// ---- in words ----

std::string MessageFlow::text_of(const Message& message) const {
  if (!message.is_special) return describe(message);
  MessageId id = 0;
  while (&run_.messages[id] != &message) ++id;
  const std::string where = describe_place(run_.describer, call_of(id));
  return where.empty() ? describe(message) : describe(message) + ", sent by " + where;
}

PlacedCall MessageFlow::call_of(MessageId id) const {
  const Message& message = run_.messages[id];
  return message.is_special ? sending_call(message, run_.messages.special(id)) : PlacedCall{};
}

/// Both ends of a message that does not fit its receive; empty: nobody knows either.
std::string MessageFlow::places_of(MessageId id, ReceiveId receive) const {
  const Message& message = run_.messages[id];
  std::string text;
  if (message.is_special) text = sent_by(run_.describer, message, run_.messages.special(id));
  const std::string where = received_by(run_.describer, run_.tasks[receive.task()], receive.slot());
  if (!text.empty() && !where.empty()) text += ", ";
  text += where;
  return text.empty() ? text : "; " + text;
}

}  // namespace heddle::emu
