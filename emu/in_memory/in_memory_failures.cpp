// SPDX-License-Identifier: Apache-2.0
// What goes wrong between ranks that share their memory, in words.
#include <fmt/format.h>

#include <algorithm>

#include "emu/diagnosis/failure_text.hpp"
#include "emu/in_memory/in_memory_runtime.hpp"

namespace heddle::emu {

std::string InMemoryRuntime::Send::text() const { return message_text(count, type, source, dest, key.tag); }

Envelope InMemoryRuntime::Send::envelope() const { return {source, dest, key.context, key.tag, count, type}; }

Envelope InMemoryRuntime::Receive::envelope() const { return {peer, rank, key.context, key.tag, count, type}; }

std::string InMemoryRuntime::Slot::text() const {
  if (send) return request_text(true, send->count, send->type, send->dest, send->key.tag);
  return request_text(false, receive->count, receive->type, receive->peer, receive->key.tag);
}

void InMemoryRuntime::fail(CheckError::Kind kind, const std::string& explanation) {
  fail(std::make_exception_ptr(CheckError(kind, explanation)));
}

void InMemoryRuntime::note_misuse(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (misuse_.empty()) misuse_ = text;
}

void InMemoryRuntime::fail_now(CheckError::Kind kind, const std::string& explanation) {
  fail_now(std::make_exception_ptr(CheckError(kind, explanation)));
}

void InMemoryRuntime::fail(const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  fail_now(error);
}

void InMemoryRuntime::fail_now(const std::exception_ptr& error) {
  if (!failure_) failure_ = error;
  is_over_ = true;
  for (Task& task : tasks_) {
    ++task.signals;
    // Who waits for its branches waits until they have gone.
    if (task.children_left == 0) wake(task);
  }
}

std::string InMemoryRuntime::explain_deadlock() const {
  std::vector<BlockedOperation> blocked;
  for (const Task& task : tasks_) {
    for (const Slot& slot : task.slots) {
      if (!slot.is_awaited || !slot.is_pending()) continue;
      blocked.push_back({task.rank, task.number, slot.send ? slot.send->dest : slot.receive->peer, slot.text()});
      if (slot.receive && slot.receive->peer >= 0) blocked.back().receives = slot.receive->envelope();
    }
  }
  for (const auto& [id, call] : splits_.under_way()) {
    for (const Task* task : call.members)
      blocked.push_back({task->rank, task->number, -1, "in split() for ranks that have not called it"});
  }
  std::stable_sort(blocked.begin(), blocked.end(), [](const BlockedOperation& a, const BlockedOperation& b) {
    return std::pair(a.rank, a.task) < std::pair(b.rank, b.task);
  });
  std::vector<Envelope> unreceived;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) unreceived.push_back(message->envelope());
  }
  return emu::explain_deadlock(static_cast<int>(ranks_), blocked, unreceived);
}

void InMemoryRuntime::check_all_received() {
  std::string text;
  std::size_t count = 0;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) {
      if (++count <= 8) text += "\n  " + message->text();
    }
  }
  if (count == 0) return;
  fail(CheckError::Kind::hygiene, fmt::format("{} message{} nobody received:{}", count, count == 1 ? " that" : "s that", text));
}

}  // namespace heddle::emu
