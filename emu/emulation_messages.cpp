// SPDX-License-Identifier: Apache-2.0
// The life of a message: posted, launched, drained, arrived, met by its receive.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "emu/emulation.hpp"
#include "emu/message_observer.hpp"

namespace heddle::emu {

namespace {

std::uint64_t pair_of(int source, int dest) {
  return std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | static_cast<std::uint32_t>(dest);
}

}  // namespace

void Emulation::effect(StrandId strand, SendPost& post) {
  MessageId id = 0;
  if (free_messages_.empty()) {
    id = static_cast<MessageId>(messages_.size());
    messages_.push_back(std::move(post.message));
  } else {
    id = free_messages_.back();
    free_messages_.pop_back();
    messages_[id] = std::move(post.message);
  }
  Message& message = *messages_[id];
  message.channel = mailbox_.post_message(message.key, id, strands_[strand].send_channel);
  count(message);
  if (settings_.observer != nullptr) tell_observer(message);
  if (message.source == message.dest) return launch(id);
  if (const std::optional<int>& credits = settings_.buffering.credits) {
    if (*credits == 0) {
      mailbox_.make_visible(message.channel, id, pairings_);
      return settle_pairings();
    }
    Credits& pair = credits_[pair_of(message.source, message.dest)];
    if (pair.used == *credits) {
      pair.held.push_back(id);
      return;
    }
    ++pair.used;
  }
  launch(id);
}

void Emulation::effect(StrandId id, ReceivePost& post) {
  mailbox_.post_receive(post.key, {id, post.slot}, strands_[id].receive_channel, pairings_);
  settle_pairings();
}

void Emulation::tell_observer(const Message& message) const {
  settings_.observer->posted({.number = message.number,
                              .source = message.source,
                              .dest = message.dest,
                              .tag = Tag(message.key.tag),
                              .round = message.round,
                              .rehearsal = message.rehearsal,
                              .time = engine_->now(),
                              .data = {message.payload.bytes(), message.count, message.type},
                              .from = message.from.span()});
}

void Emulation::count(Message& message) {
  message.number = static_cast<std::uint64_t>(messages_carried_++);
  if (message.rehearsal || message.source == message.dest) return;
  RankReport& report = ranks_[static_cast<std::size_t>(message.source)].report;
  ++report.messages;
  report.sent += Bytes(message.wire_bytes);
  ranks_[static_cast<std::size_t>(message.dest)].report.received += Bytes(message.wire_bytes);
  const auto round = static_cast<std::size_t>(message.round);
  if (round > rounds_.size()) rounds_.resize(round);
  ++rounds_[round - 1].messages;
  rounds_[round - 1].bytes += Bytes(message.wire_bytes);
}

/// The sender has what it needs: overhead and start-up come first.
void Emulation::launch(MessageId id) {
  const Message& message = *messages_[id];
  if (message.rehearsal || message.source == message.dest) {
    drained(id);
    if (!failure_) arrived(id);
    return;
  }
  Time start = engine_->now();
  if (settings_of_fabric_.send_overhead > Time()) {
    Time& busy = ranks_[static_cast<std::size_t>(message.source)].busy_until;
    start = busy = std::max(start, busy) + settings_of_fabric_.send_overhead;
  }
  start += settings_of_fabric_.alpha;
  if (start == engine_->now()) {
    enter_network(id);
  } else {
    ring_at(start, Ring::launch, id);
  }
}

void Emulation::enter_network(MessageId id) {
  const Message& message = *messages_[id];
  network_.send(id, placement_[static_cast<std::size_t>(message.source)], placement_[static_cast<std::size_t>(message.dest)],
                message.wire_bytes, message.round);
}

void Emulation::ring(std::uint64_t payload) {
  const auto id = static_cast<std::uint32_t>(payload);
  switch (static_cast<Ring>(payload >> 32)) {
    case Ring::launch:
      return enter_network(id);
    case Ring::wake:
      return engine_->wake(id);
    case Ring::stream:
      return enter_network(*in_network_calls_[id], id);
  }
}

void Emulation::drained(MessageId id) {
  Message& message = *messages_[id];
  message.drained = true;
  check_unchanged(message);
  if (!failure_) complete(message.sender, message.sender_slot, message.round);
}

void Emulation::arrived(MessageId id) {
  const Message& message = *messages_[id];
  if (settings_.buffering.credits == 0 && message.source != message.dest) return deliver(id, message.receive);
  mailbox_.make_visible(message.channel, id, pairings_);
  settle_pairings();
}

void Emulation::settle_pairings() {
  // Delivering a rehearsal's message can pair others: take what is there, and look again.
  while (!pairings_.empty() && !failure_) {
    const Pairing pairing = pairings_.front();
    pairings_.erase(pairings_.begin());
    Message& message = *messages_[pairing.message];
    if (settings_.buffering.credits == 0 && message.source != message.dest) {
      message.receive = pairing.receive;
      launch(pairing.message);
    } else {
      deliver(pairing.message, pairing.receive);
    }
  }
}

void Emulation::deliver(MessageId id, ReceiveId receive) {
  Message& message = *messages_[id];
  RequestSlot& slot = strands_[receive.strand].slots[receive.slot];
  check_fits(message, slot);
  if (failure_) return;
  const std::span<const VectorView> into = slot.into.span();
  if (!into.empty() && !into[0].empty())
    std::memcpy(into[0].data(), slot.hidden.data(), std::min(slot.hidden.size(), into[0].size_bytes()));
  message.payload.scatter(into);
  if (settings_.observer != nullptr)
    settings_.observer->received(message.number, in_rehearsal(message.dest), engine_->now(), into);
  slot.status = {Rank(message.key.source), Tag(message.key.tag), message.count};
  const int round = message.round;
  if (settings_.buffering.credits.value_or(0) > 0) give_credit_back(message);
  strands_[receive.strand].spare_message = std::move(messages_[id]);
  free_messages_.push_back(id);
  complete(receive.strand, receive.slot, round);
}

void Emulation::give_credit_back(const Message& message) {
  if (message.source == message.dest) return;
  Credits& pair = credits_[pair_of(message.source, message.dest)];
  if (pair.held.empty()) {
    --pair.used;
    return;
  }
  const MessageId next = pair.held.front();
  pair.held.pop_front();
  launch(next);
}

void Emulation::complete(StrandId id, std::uint32_t slot_index, int round) {
  StrandState& strand = strands_[id];
  RequestSlot& slot = strand.slots[slot_index];
  slot.state = RequestSlot::State::complete;
  slot.round = round;
  if (slot.awaited && --strand.pending == 0) engine_->wake(id);
}

}  // namespace heddle::emu
