// SPDX-License-Identifier: Apache-2.0
// The life of a message: posted, launched, drained, arrived, met by its receive.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/emulation.hpp"
#include "emu/message_observer.hpp"

namespace heddle::emu {

void Emulation::effect(StrandId strand, SendPost& post) {
  const MessageId id = post.message;
  Message& message = messages_[id];
  message.channel = mailbox_.post_message(message.key, id, strands_[strand].send_channel);
  count(message);
  if (injected_ != nullptr) message.fate = crosses_network(message) ? injected_->draw_fate(message) : Fate::arrives;
  if (settings_.observer != nullptr) tell_observer(message);
  if (settings_.timeline != nullptr) record_posted(message);
  const Cause cause{.base = &strands_[strand].path, .contention_free = message.contention_free};
  if (message.source == message.dest) return launch(id, cause);
  if (const std::optional<int>& credits = settings_.buffering.credits) {
    if (*credits == 0) {
      mailbox_.make_visible(message.channel, id, pairings_);
      return settle_pairings(cause);
    }
    Credits& pair = credits_[pair_key(message.source, message.dest)];
    if (pair.used == *credits) {
      pair.held.push_back(id);
      return;
    }
    ++pair.used;
  }
  launch(id, cause);
}

void Emulation::effect(StrandId id, ReceivePost& post) {
  StrandState& strand = strands_[id];
  const RequestSlot& slot = strand.slots[post.slot];
  if (settings_.observer != nullptr && slot.key.source == kAnySource.value()) settings_.observer->posted_receive_from_any();
  mailbox_.post_receive(slot.key, {id, post.slot}, strand.receive_channel, pairings_);
  settle_pairings({.base = &strand.path, .contention_free = slot.contention_free});
  if (strand.rehearsal) expect_next_message(strand.receive_channel);
}

void Emulation::tell_observer(const Message& message) const {
  settings_.observer->posted({.number = message.number,
                              .source = message.source,
                              .dest = message.dest,
                              .tag = Tag(message.key.tag),
                              .round = message.round,
                              .rehearsal = message.rehearsal,
                              .time = engine_->now(),
                              .data = {message.payload.bytes(), message.count, message.type()},
                              .from = message.from.span(),
                              .strand = strands_[message.sender].number,
                              .strand_family = strands_[message.sender].family});
}

void Emulation::count(Message& message) {
  message.number = static_cast<std::uint64_t>(messages_carried_++);
  if (message.rehearsal || message.source == message.dest) return;
  StrandState& sender = strands_[message.sender];
  ++sender.messages_sent;
  sender.sent += Bytes(message.wire_bytes);
  const auto round = static_cast<std::size_t>(message.round);
  if (round > rounds_.size()) rounds_.resize(round);
  ++rounds_[round - 1].messages;
  rounds_[round - 1].bytes += Bytes(message.wire_bytes);
}

/// The sender has what it needs: overhead and start-up come first.
void Emulation::launch(MessageId id, const Cause& cause) {
  Message& message = messages_[id];
  const Time now = engine_->now();
  CriticalPath path = cause.path();
  if (wall_ != nullptr) count_real_work(path, now);
  message.contention_free = std::max(message.contention_free, cause.contention_free);
  message.entered = now;
  if (!crosses_network(message)) {
    message.path = path;
    drained(id);
    if (!failure_) arrived(id);
    return;
  }
  const Time overhead = slowed(message.source, settings_of_fabric_.send_overhead);
  const Time startup = overhead + slowed(message.source, settings_of_fabric_.alpha);
  const Time started = overhead > Time() ? occupy_sender(message, overhead) : now;
  message.entered = started + startup;
  message.contention_free += startup;
  if (settings_.timeline != nullptr) record_launched(message, started, path.last_record);
  path.parts.waiting += started - now;
  path.parts.startup += startup;
  path.bytes += message.wire_bytes;
  path.last_record = message.record;
  ++path.messages;
  message.path = path;
  if (message.entered == now)
    enter_network(id);
  else
    ring_at(message.entered, Ring::launch, id);
}

/// Its rank spends the overhead as soon as it has done with the others: when that begins.
Time Emulation::occupy_sender(Message& message, Time overhead) {
  RankState& rank = ranks_[static_cast<std::size_t>(message.source)];
  const Time started = std::max(engine_->now(), rank.busy_until);
  rank.busy_until = started + overhead;
  message.contention_free = std::max(message.contention_free, rank.contention_free_busy_until);
  rank.contention_free_busy_until = message.contention_free + overhead;
  return started;
}

void Emulation::enter_network(MessageId id) {
  const Message& message = messages_[id];
  network_->send({.message = id,
                  .from = placement_[static_cast<std::size_t>(message.source)],
                  .to = placement_[static_cast<std::size_t>(message.dest)],
                  .bytes = message.wire_bytes,
                  .round = message.round,
                  .record = message.record});
}

Cause Emulation::drained_after(const CriticalPath& path, Time entered, Time drained, Time full_rate) {
  const Time spent = drained - entered;
  // Rates are floating point: they round to a picosecond either way.
  const Time contention = spent - full_rate > Time::ps(1) ? spent - full_rate : Time();
  return {.base = &path, .serialisation = spent - contention, .contention = contention};
}

void Emulation::ring(std::uint64_t payload) {
  const auto id = static_cast<std::uint32_t>(payload);
  switch (static_cast<Ring>(payload >> 32)) {
    case Ring::launch:
      return enter_network(id);
    case Ring::wake:
      return resume(id);
    case Ring::stream:
      return enter_network(*in_network_calls_[id], id);
    case Ring::arrive:
      return due(id);
  }
}

void Emulation::drained(MessageId id) {
  Message& message = messages_[id];
  message.drained = true;
  check_unchanged(message);
  if (failure_) return;
  if (!crosses_network(message)) {
    const Cause cause{.base = &message.path, .contention_free = message.contention_free};
    return complete(message.sender, message.sender_slot, message.round, cause, cause.contention_free);
  }
  const Crossing& crossing = network_->crossing(id);
  Cause cause = drained_after(message.path, message.entered, engine_->now(), crossing.alone_drained);
  cause.contention_free = message.contention_free + crossing.alone_drained;
  complete(message.sender, message.sender_slot, message.round, cause, cause.contention_free);
  // From here on the message is what arrives: its last path to do so may have drained earlier. Kept with the message, so that
  // the arrival of thousands need not look up their crossings again.
  message.path = drained_after(message.path, message.entered, crossing.drained, crossing.full_rate).path();
  message.contention_free += crossing.alone_arrived;
  if (settings_.timeline != nullptr) record_drained(message, crossing.alone_drained);
}

void Emulation::arrived(MessageId id) {
  if (director_ == nullptr)
    arrive(id);
  else
    comes(id);
}

void Emulation::arrive(MessageId id) {
  Message& message = messages_[id];
  if (message.fate != Fate::arrives && !survives(message)) return;
  Cause cause{.base = &message.path};
  if (crosses_network(message)) {
    cause.propagation = engine_->now() - message.path.parts.total();
    if (settings_.timeline != nullptr) record_arrived(message);
  }
  cause.contention_free = message.contention_free;
  if (settings_.buffering.credits == 0 && message.source != message.dest) return deliver(id, message.receive, cause);
  mailbox_.make_visible(message.channel, id, pairings_);
  settle_pairings(cause);
}

void Emulation::settle_pairings(const Cause& why) {
  if (pairings_.empty()) return;
  if (pairings_.size() == 1 && !settings_.buffering.credits) {
    // Nearly always. No more can come of it, and nothing needs to be kept beside.
    const MessageId message = pairings_[0].message;
    const ReceiveId receive = pairings_[0].receive;
    pairings_.clear();
    return deliver(message, receive, why);
  }
  // A message that arrives lets those pass that had overtaken it. Each that is delivered may wake the strand whose path led
  // here, and give it another: what led to all of them is kept beside.
  const CriticalPath path = *why.base;
  Cause cause = why;
  cause.base = &path;
  // Delivering a rehearsal's message can pair others: take what is there, and look again.
  while (!pairings_.empty() && !failure_) {
    const Pairing pairing = pairings_.front();
    pairings_.erase(pairings_.begin());
    Message& message = messages_[pairing.message];
    if (settings_.buffering.credits == 0 && message.source != message.dest) {
      message.receive = pairing.receive;
      const RequestSlot& slot = strands_[pairing.receive.strand()].slots[pairing.receive.slot()];
      message.contention_free = std::max(message.contention_free, slot.contention_free);
      launch(pairing.message, cause);
    } else {
      deliver(pairing.message, pairing.receive, cause);
    }
  }
}

void Emulation::deliver(MessageId id, ReceiveId receive, const Cause& cause) {
  Message& message = messages_[id];
  StrandState& strand = strands_[receive.strand()];
  RequestSlot& slot = strand.slots[receive.slot()];
  check_fits(message, slot);
  if (failure_) return;
  const std::span<const VectorView> into = slot.into.span();
  if (!into.empty() && !into[0].empty())
    std::memcpy(into[0].data(), slot.hidden.data(), std::min(slot.hidden.size(), into[0].size_bytes()));
  message.payload.scatter(into);
  if (settings_.observer != nullptr)
    settings_.observer->received(message.number, in_rehearsal(message.dest), engine_->now(), into);
  slot.status = {Rank(message.key.source), Tag(message.key.tag), message.count};
  const Time contention_free = std::max(message.contention_free, slot.contention_free);
  if (crosses_network(message)) strand.received += Bytes(message.wire_bytes);
  const int round = message.round;
  if (settings_.buffering.credits.value_or(0) > 0) give_credit_back(message, cause, contention_free);
  // Nobody takes it before the next strand runs: the path that led here stays until then.
  free_messages_.push_back(id);
  complete(receive.strand(), receive.slot(), round, cause, contention_free);
}

void Emulation::give_credit_back(const Message& message, const Cause& cause, Time contention_free) {
  if (message.source == message.dest) return;
  Credits& pair = credits_[pair_key(message.source, message.dest)];
  if (pair.held.empty()) {
    --pair.used;
    return;
  }
  const MessageId next = pair.held.front();
  pair.held.pop_front();
  Cause received = cause;
  received.contention_free = contention_free;
  launch(next, received);
}

void Emulation::complete(StrandId id, std::uint32_t slot_index, int round, const Cause& cause, Time contention_free) {
  StrandState& strand = strands_[id];
  RequestSlot& slot = strand.slots[slot_index];
  slot.state = RequestSlot::State::complete;
  slot.round = round;
  slot.contention_free = contention_free;
  if (slot.awaited && --strand.pending == 0) wake(id, cause);
}

}  // namespace heddle::emu
