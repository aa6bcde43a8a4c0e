// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a run, and how it is told: which rank, which message, what would be right.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emu/deadlock.hpp"
#include "emu/emulation.hpp"
#include "emu/fault_text.hpp"
#include "emu/message_observer.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMostMessages = 8;

std::string describe(const RequestSlot& slot) {
  return request_text(slot.is_send, slot.count, slot.type, slot.peer, slot.key.tag);
}

}  // namespace

void Emulation::fail(CheckError::Kind kind, const std::string& explanation) {
  if (!failure_) failure_.emplace(kind, explanation);
  engine_->stop();
}

void Emulation::fail_rank(const StrandState& strand) {
  fail(is_usage_error(strand.failure) ? CheckError::Kind::usage : CheckError::Kind::rank_failed,
       fmt::format("rank {} failed at {}: {}{}", strand.rank, to_string(engine_->now()), what_of(strand.failure),
                   injected_ == nullptr ? "" : "; " + who_waits_for(strand.rank)));
}

std::string Emulation::describe(const Message& message) const {
  return message_text(message.count, message.type(), message.source, message.dest, message.key.tag);
}

void Emulation::check_unchanged(const Message& message) {
  if (message.payload.equals(message.from.span())) return;
  std::int64_t element = 0;
  std::size_t offset = 0;
  const Payload& sent = message.payload;
  for (const ConstVectorView& piece : message.from.span()) {
    const auto differs = std::mismatch(piece.data(), piece.data() + piece.size_bytes(), sent.bytes() + offset).first;
    offset += static_cast<std::size_t>(differs - piece.data());
    if (differs != piece.data() + piece.size_bytes()) break;
  }
  element = static_cast<std::int64_t>(offset / message.type().size());
  fail(
      CheckError::Kind::hygiene,
      fmt::format(
          "rank {} changed a send buffer before its send was complete: {}, element {} of it, at {}; wait for the request first",
          message.source, describe(message), element, to_string(engine_->now())));
}

void Emulation::check_fits(const Message& message, const RequestSlot& slot) {
  const std::size_t room = static_cast<std::size_t>(slot.count) * slot.type.size();
  if (message.payload.size() > room) {
    return fail(CheckError::Kind::truncation, fmt::format("{} is longer than its receive: rank {} asked for {}",
                                                          describe(message), message.dest, count_text(slot.count, slot.type)));
  }
  if (message.type() != slot.type && message.count > 0 && slot.count > 0) {
    fail(CheckError::Kind::usage, fmt::format("{} meets a receive of another type: rank {} asked for {}", describe(message),
                                              message.dest, count_text(slot.count, slot.type)));
  }
}

void Emulation::check_all_waited_for(const StrandState& strand) {
  const auto is_used = [](const RequestSlot& slot) { return slot.state != RequestSlot::State::free; };
  const auto first = std::find_if(strand.slots.begin(), strand.slots.end(), is_used);
  if (first == strand.slots.end()) return;
  fail(CheckError::Kind::hygiene,
       fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", strand.rank,
                   std::count_if(first, strand.slots.end(), is_used), emu::describe(*first)));
}

std::vector<const Message*> Emulation::messages_not_received() const {
  std::vector<const Message*> messages;
  for (const MessageId id : mailbox_.unpaired_messages()) messages.push_back(&messages_[id]);
  std::ranges::sort(messages, {}, &Message::number);
  return messages;
}

void Emulation::check_all_received() {
  const std::vector<const Message*> waiting = messages_not_received();
  if (waiting.empty()) return;
  std::string text = fmt::format("{} message{} nobody received:", waiting.size(), waiting.size() == 1 ? " that" : "s that");
  for (std::size_t i = 0; i < std::min(waiting.size(), kMostMessages); ++i) text += "\n  " + describe(*waiting[i]);
  if (waiting.size() > kMostMessages) text += fmt::format("\n  … and {} more", waiting.size() - kMostMessages);
  fail(CheckError::Kind::hygiene, text + injected_causes());
}

void Emulation::fail_with_deadlock() {
  std::vector<BlockedOperation> blocked;
  for (StrandId id = 0; id < strands_.size(); ++id) {
    if (!live_[id]) continue;
    const StrandState& strand = strands_[id];
    if (strand.blocked == StrandState::Blocked::split) {
      blocked.push_back({strand.rank, strand.number, -1, "in split() for ranks that have not called it"});
    }
    if (strand.blocked == StrandState::Blocked::in_network) {
      int peer = -1;
      std::string waits_for = describe_wait(strand, peer);
      blocked.push_back({strand.rank, strand.number, peer, std::move(waits_for)});
    }
    if (strand.blocked != StrandState::Blocked::requests) continue;
    for (const RequestSlot& slot : strand.slots) {
      if (slot.state != RequestSlot::State::pending || !slot.awaited) continue;
      std::string waits_for = emu::describe(slot);
      if (slot.is_send && settings_.buffering.credits == 0) waits_for += ": synchronous, and no receive is posted";
      if (slot.is_send && settings_.buffering.credits.value_or(0) > 0) {
        waits_for += fmt::format(": {} of {} credits are taken", *settings_.buffering.credits, *settings_.buffering.credits);
      }
      blocked.push_back({strand.rank, strand.number, slot.peer, std::move(waits_for)});
    }
  }
  std::stable_sort(blocked.begin(), blocked.end(), [](const BlockedOperation& a, const BlockedOperation& b) {
    return std::pair(a.rank, a.strand) < std::pair(b.rank, b.strand);
  });
  // Without a fault that stops one, whoever has not ended is blocked.
  if (blocked.empty())
    return fail(CheckError::Kind::rank_failed, "all ranks have ended but those that stopped" + injected_causes());
  if (settings_.observer != nullptr) settings_.observer->deadlocked(static_cast<int>(ranks_.size()), blocked);
  std::vector<std::string> unreceived;
  for (const Message* message : messages_not_received()) {
    if (!waits_behind_lost(*message)) unreceived.push_back(describe(*message));
  }
  fail(CheckError::Kind::deadlock, explain_deadlock(static_cast<int>(ranks_.size()), blocked, unreceived) + injected_causes());
}

}  // namespace heddle::emu
