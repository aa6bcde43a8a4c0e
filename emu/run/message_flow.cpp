// SPDX-License-Identifier: Apache-2.0
#include "emu/run/message_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "emu/engine/order_director.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/record/failure.hpp"
#include "emu/run/call_places.hpp"

namespace heddle::emu {

namespace {

/// As long as a message of a second call, which takes no time, is taken to take where some come later than others.
constexpr Time kUntimed = Time::ps(1'000'000);

}  // namespace

MessageFlow::MessageFlow(RunState& run, const Placement& placement, Network& network, const AloneTimes& alone,
                         std::optional<int> credits, OrderDirector* director)
    : run_(run),
      placement_(placement),
      network_(network),
      alone_(alone),
      director_(director),
      credits_per_pair_(credits),
      all_synchronous_(credits == 0),
      credits_(credits.value_or(0)) {}

// ---- what tasks ask for ----

void MessageFlow::take(TaskId id, const PendingSend& operation) {
  Message& message = run_.messages[operation.message];
  TaskState& sender = run_.tasks[id];
  message.channel = mailbox_.add_message(message.key, operation.message, sender.send_channel);
  run_.recorder.count(message, sender);
  if (run_.injected != nullptr)
    message.outcome = message.crosses_network() ? run_.injected->draw_outcome(message) : MessageOutcome::arrives;
  run_.recorder.note_sent(message, sender);
  const Cause cause{.base = &sender.path, .contention_free = message.contention_free};
  if (message.is_special) [[unlikely]]
    return take_special(id, operation.message, cause);
  if (all_synchronous_) return show(operation.message, message.channel, cause);
  if (message.source == message.dest || !credits_per_pair_) return inject(operation.message, cause);
  if (credits_.take(credits_of(message), operation.message)) inject(operation.message, cause);
}

void MessageFlow::take(TaskId id, const PendingReceive& operation) {
  TaskState& task = run_.tasks[id];
  const RequestSlot& slot = task.slots[operation.slot];
  run_.recorder.note_receive(slot, task.rank);
  begin_any_tag(slot.key.tag);
  mailbox_.add_receive(slot.key, {id, operation.slot}, task.receive_channel, pairings_);
  deliver_pairings({.base = &task.path, .contention_free = slot.contention_free});
}

void MessageFlow::take(TaskId id, const PendingRoom& operation) {
  TaskState& task = run_.tasks[id];
  const RequestSlot& slot = task.slots[operation.slot];
  run_.recorder.note_asked_room(slot, task);
  const Credits::Pair pair{task.rank, slot.peer, task.shares_messages ? std::optional<int>(slot.key.tag) : std::nullopt};
  const bool has_bound = credits_per_pair_.value_or(0) > 0 && task.rank != slot.peer;
  if (has_bound && !credits_.has_room(pair)) return credits_.wait_for_room(pair, {id, operation.slot});
  complete(id, operation.slot, 0, {.base = &task.path, .contention_free = slot.contention_free}, slot.contention_free);
}

// ---- into the network ----

/// The sender has what it needs: overhead and start-up come first.
void MessageFlow::inject(MessageId id, const Cause& cause) {
  Message& message = run_.messages[id];
  const Time now = run_.engine.now();
  CriticalPath path = cause.path();
  run_.recorder.count_real_work(path, now);
  message.contention_free = std::max(message.contention_free, cause.contention_free);
  message.entered = now;
  if (!message.crosses_network()) {
    message.path = path;
    if (is_forsaken(message)) return;
    release_sender(id);
    if (!run_.failure.has_failed()) arrived(id);
    return;
  }
  const Time overhead = run_.slowed(message.source, run_.costs.send_overhead());
  const Time startup = overhead + run_.slowed(message.source, run_.costs.alpha());
  const Time started = overhead > Time() ? occupy_sender(message, overhead) : now;
  message.entered = started + startup;
  message.contention_free += startup;
  if (run_.recorder.keeps_records()) run_.recorder.note_injected(message, started, path.last_record);
  path.parts.waiting += started - now;
  path.parts.startup += startup;
  path.bytes += message.wire_bytes;
  path.last_record = message.record;
  ++path.messages;
  message.path = path;
  if (message.entered == now)
    enter_network(id);
  else
    set_timer(message.entered, Due::entry, id);
}

/// Its rank spends the overhead as soon as it has done with the others: when that begins.
Time MessageFlow::occupy_sender(Message& message, Time overhead) {
  const Ranks::Begin begin = run_.ranks.occupy(message.source, {run_.engine.now(), message.contention_free}, overhead);
  message.contention_free = begin.contention_free;
  return begin.time;
}

void MessageFlow::enter_network(MessageId id) {
  const Message& message = run_.messages[id];
  network_.send({.message = id,
                 .from = placement_[static_cast<std::size_t>(message.source)],
                 .to = placement_[static_cast<std::size_t>(message.dest)],
                 .bytes = message.wire_bytes,
                 .round = message.round,
                 .record = message.record});
}

void MessageFlow::on_timer(std::uint64_t payload) {
  const auto id = static_cast<MessageId>(payload);
  switch (static_cast<Due>(payload >> 32)) {
    case Due::entry:
      return enter_network(id);
    case Due::arrival:
      return arrived(id);
    case Due::late_arrival:
      return hold_or_arrive(id);
  }
}

void MessageFlow::prefetch(std::uint64_t payload, int stage) const {
  const Message& message = run_.messages[static_cast<MessageId>(payload)];
  if (stage == 0) return emu::prefetch(&message, sizeof message);
  if (stage == 1) return mailbox_.prefetch(message.channel);
  const ReceiveId* const receive = mailbox_.first_receive(message.channel);
  if (receive == nullptr) return;
  const TaskState& receiver = run_.tasks[receive->task()];
  if (stage == 2) return receiver.prefetch();
  const std::span<const VectorView> into = receiver.slots[receive->slot()].into.span();
  constexpr std::size_t kLongest = 512;  // beyond, the processor fetches ahead by itself
  if (!into.empty()) emu::prefetch(into[0].data(), std::min(into[0].size_bytes(), kLongest));
}

// ---- out of the network ----

/// Its sender has left its function by an exception, and the run has failed: its memory may be no more.
bool MessageFlow::is_forsaken(const Message& message) const {
  return run_.failure.is_near() && run_.tasks[message.sender].has_failed;
}

void MessageFlow::drained(MessageId id, Time arrival) {
  if (is_forsaken(run_.messages[id])) return;
  release_sender(id);
  if (arrival == run_.engine.now())
    arrived(id);
  else
    set_timer(arrival, Due::arrival, id);
}

void MessageFlow::release_sender(MessageId id) {
  Message& message = run_.messages[id];
  message.drained = true;
  if (!is_unchanged(message)) return;
  if (message.payload.is_lent()) [[unlikely]]
    give_memory_back(id, message);
  if (!message.crosses_network()) {
    const Cause cause{.base = &message.path, .contention_free = message.contention_free};
    return complete_send(id, message, cause);
  }
  const AloneTimes::Times& alone = alone_.of(id);
  Cause cause = drained_after(message.path, message.entered, run_.engine.now(), alone.drained);
  cause.contention_free = message.contention_free + alone.drained;
  complete_send(id, message, cause);
  if (run_.recorder.keeps_records()) run_.recorder.note_drained(message, alone.drained);
}

/// The sender goes on, and may use its memory: the bytes go where they belong, if nobody can tell that they are there early.
void MessageFlow::give_memory_back(MessageId id, Message& message) {
  if (std::byte* const place = place_for(id, message))
    message.payload.give_back_into(place);
  else
    message.payload.give_back();
}

/// Where a receive will have it whose rank waits for that, and has no other tasks; nullptr: nowhere that is certain.
std::byte* MessageFlow::place_for(MessageId id, const Message& message) const {
  if (run_.has_started_tasks) return nullptr;
  const ReceiveId* const receive =
      is_synchronous(id, message) ? &message.receive : mailbox_.certain_receive(message.channel, id);
  if (receive == nullptr) return nullptr;
  const TaskState& task = run_.tasks[receive->task()];
  const RequestSlot& slot = task.slots[receive->slot()];
  if (!slot.waits || task.number != 0 || task.has_failed || !fits(message, slot)) return nullptr;
  const bool is_special = slot.kind == RequestSlot::Kind::special;
  if (is_special && message.payload.size() > task.special->requests[receive->slot()].apart) return nullptr;
  std::byte* place = nullptr;
  for (const VectorView& piece : slot.into.span()) {
    if (piece.empty()) continue;
    if (place != nullptr || piece.size_bytes() < message.payload.size()) return nullptr;
    place = piece.data();
  }
  return place;
}

/// In another order than the usual one it may come later than the network says.
void MessageFlow::jitter_arrival(MessageId id) {
  Message& message = run_.messages[id];
  if (message.source != message.dest) {
    const Time later = director_->jitter(message.number, message.second_call ? kUntimed : alone_.of(id).arrived);
    if (later > Time()) {
      message.path.parts.waiting += later;
      message.contention_free += later;
      return set_timer(run_.engine.now() + later, Due::late_arrival, id);
    }
  }
  hold_or_arrive(id);
}

void MessageFlow::hold_or_arrive(MessageId id) {
  const Message& message = run_.messages[id];
  if (message.source != message.dest && director_->delays_arrival(message.source, message.dest))
    director_->hold({false, id, run_.engine.now()});
  else
    arrive(id);
}

void MessageFlow::arrive(MessageId id) {
  Message& message = run_.messages[id];
  if (message.outcome != MessageOutcome::arrives && !survives(message)) return;
  if (message.is_special && run_.messages.special(id).is_withdrawn) [[unlikely]]
    return drop(id, {.base = &message.path, .contention_free = message.contention_free});
  Cause cause{.base = &message.path};
  if (message.crosses_network()) {
    const AloneTimes::Times& alone = alone_.of(id);
    const Time latency = network_.latency(id);
    // Its path ends when it entered the network, or so much later as its arrival was held back.
    cause = drained_after(message.path, message.path.parts.total(), run_.engine.now() - latency, alone.drained);
    cause.propagation = latency;
    message.contention_free += alone.arrived;
    if (run_.recorder.keeps_records()) run_.recorder.note_arrived(message);
  }
  cause.contention_free = message.contention_free;
  if (is_synchronous(id, message)) return deliver(id, message.receive, cause);
  show(id, message.channel, cause);
}

// ---- to the receiver ----

void MessageFlow::deliver_pairings(const Cause& why) {
  if (pairings_.empty()) return;
  if (pairings_.size() == 1 && !credits_per_pair_ && !run_.makes_special_calls) {
    // Nearly always. No more can come of it, and nothing needs to be kept beside.
    const MessageId message = pairings_[0].message;
    const ReceiveId receive = pairings_[0].receive;
    pairings_.clear();
    return deliver(message, receive, why);
  }
  // A message that arrives lets those pass that had overtaken it. Each that is delivered may wake the task whose path led
  // here, and give it another: what led to all of them is kept beside.
  const CriticalPath path = *why.base;
  Cause cause = why;
  cause.base = &path;
  // Delivering a second call's message can pair others: take what is there, and look again.
  while (!pairings_.empty() && !run_.failure.has_failed()) {
    const Pairing pairing = pairings_.front();
    pairings_.erase(pairings_.begin());
    Message& message = run_.messages[pairing.message];
    if (is_synchronous(pairing.message, message)) {
      message.receive = pairing.receive;
      const RequestSlot& slot = run_.tasks[pairing.receive.task()].slots[pairing.receive.slot()];
      message.contention_free = std::max(message.contention_free, slot.contention_free);
      inject(pairing.message, cause);
    } else {
      deliver(pairing.message, pairing.receive, cause);
    }
  }
}

void MessageFlow::deliver(MessageId id, ReceiveId receive, const Cause& cause) {
  Message& message = run_.messages[id];
  TaskState& task = run_.tasks[receive.task()];
  if (task.has_failed || is_forsaken(message)) [[unlikely]]
    return;
  RequestSlot& slot = task.slots[receive.slot()];
  if (!fits(message, slot) && !may_be_cut(id, receive)) return;
  if (slot.kind == RequestSlot::Kind::special && (!stays_apart(message, receive) || !is_untouched(message, receive)))
      [[unlikely]]
    return;
  const std::span<const VectorView> into = slot.into.span();
  const std::size_t poisoned = task.poisoned_bytes(receive.slot());
  if (message.payload.size() < poisoned) std::memcpy(into[0].data(), task.hidden[receive.slot()].data(), poisoned);
  message.payload.scatter(into);
  if (run_.recorder.wants_places()) [[unlikely]]
    run_.recorder.note_call(message, received_by(run_.describer, task, receive.slot()));
  run_.recorder.note_received(message, into);
  slot.status = {Rank(message.key.source), Tag(message.key.tag), message.count};
  if (message.is_special || slot.kind == RequestSlot::Kind::special) [[unlikely]]
    note_special_receive(id, message, receive);
  const Time contention_free = std::max(message.contention_free, slot.contention_free);
  if (message.crosses_network()) task.received += Bytes(message.wire_bytes);
  const int round = message.round;
  if (credits_per_pair_.value_or(0) > 0 && !is_synchronous(id, message)) give_credit_back(message, cause, contention_free);
  // Nobody takes it before the next task runs: the path that led here stays until then.
  run_.messages.give_back(id);
  complete(receive.task(), receive.slot(), round, cause, contention_free);
}

void MessageFlow::give_credit_back(const Message& message, const Cause& cause, Time contention_free) {
  if (message.source == message.dest) return;
  const Credits::Pair pair = credits_of(message);
  const std::optional<MessageId> next = credits_.give_back(pair);
  Cause received = cause;
  received.contention_free = contention_free;
  if (next) return inject(*next, received);
  for (const ReceiveId waiting : credits_.take_waiting_for_room(pair)) {
    const RequestSlot& slot = run_.tasks[waiting.task()].slots[waiting.slot()];
    complete(waiting.task(), waiting.slot(), 0, received, std::max(contention_free, slot.contention_free));
  }
}

// ---- what can go wrong ----

/// Where a message is damaged, what has arrived is held against what was sent.
bool MessageFlow::survives(Message& message) {
  const std::string injection = run_.injected->injection_text(message);
  const std::string now = to_string(run_.engine.now());
  if (message.outcome == MessageOutcome::is_lost) {
    run_.injected->note_lost(message, fmt::format("{} was lost on its way at {} ({})", describe(message), now, injection));
    return false;
  }
  const std::span<const std::byte> arrived = message.payload.in_flight();
  const std::vector<std::byte> sent(arrived.begin(), arrived.end());
  run_.injected->damage(message);
  const auto [was, is] = std::mismatch(sent.begin(), sent.end(), arrived.begin());
  if (was == sent.end()) return true;
  run_.failure.fail(CheckError::Kind::damaged,
                    fmt::format("{} arrived damaged on rank {} at {}: byte {} of {} is {:#04x}, and {:#04x} was sent ({})",
                                describe(message), message.dest, now, was - sent.begin(), sent.size(),
                                std::to_integer<int>(*is), std::to_integer<int>(*was), injection),
                    {.rank = message.dest});
  return false;
}

bool MessageFlow::is_unchanged(const Message& message) {
  // A rank that has thrown has given its memory back, and under the wall clock its messages drain all the same.
  if (run_.failure.has_failed() || message.payload.equals(message.from.span())) return true;
  std::size_t offset = 0;
  const Payload& sent = message.payload;
  for (const ConstVectorView& piece : message.from.span()) {
    const auto differs = std::mismatch(piece.data(), piece.data() + piece.size_bytes(), sent.bytes() + offset).first;
    offset += static_cast<std::size_t>(differs - piece.data());
    if (differs != piece.data() + piece.size_bytes()) break;
  }
  const std::string_view unit = message.type() == Datatype::user(1) ? "byte" : "element";
  const std::string place = sent.is_lent() ? std::string() : fmt::format(", {} {} of it", unit, offset / message.type().size());
  const std::string which = fmt::format("{}{}, at {}", text_of(message), place, to_string(run_.engine.now()));
  std::string text = receive_into_send_buffer(message, which);
  if (text.empty()) text = other_sender(message, which);
  if (text.empty() && sent.is_lent()) {
    text = fmt::format(
        "a send buffer of rank {} changed while the rank waited for its send: {}; another operation of that rank, or another "
        "rank, wrote there",
        message.source, which);
  } else if (text.empty()) {
    text = fmt::format("rank {} changed a send buffer before its send was complete: {}; wait for the request first",
                       message.source, which);
  }
  run_.failure.fail(CheckError::Kind::hygiene, text, {.rank = message.source});
  return false;
}

/// Who has a receive open into the memory that a message is sent from; empty: nobody.
std::string MessageFlow::receive_into_send_buffer(const Message& message, const std::string& which) const {
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    const TaskState& task = run_.tasks[id];
    if (!run_.tasks.is_live(id)) continue;
    for (const RequestSlot& slot : task.slots) {
      if (slot.state == RequestSlot::State::free || slot.is_send) continue;
      const std::size_t bytes = common_bytes(slot.into.span(), message.from.span());
      if (bytes == 0) continue;
      const std::string receive = request_text(run_.describer, task, static_cast<std::uint32_t>(&slot - task.slots.data()));
      if (task.rank == message.source)
        return fmt::format("rank {} has a receive open, {}, into {} bytes that it has yet to send: {}; wait for the send first",
                           task.rank, receive, bytes, which);
      return fmt::format(
          "ranks {} and {} share memory: rank {} has a receive open, {}, into {} bytes that rank {} has yet to send: {}; each "
          "rank needs memory of its own (no static or global variable), and keeps it while a request is open",
          message.source, task.rank, task.rank, receive, bytes, message.source, which);
    }
  }
  return "";
}

/// Which other rank sends from the same memory; empty: nobody does.
std::string MessageFlow::other_sender(const Message& message, const std::string& which) const {
  for (const MessageId id : unreceived()) {
    const Message& other = run_.messages[id];
    if (other.source == message.source || other.drained) continue;
    const std::size_t bytes = common_bytes(other.from.span(), message.from.span());
    if (bytes == 0) continue;
    return fmt::format(
        "ranks {} and {} share memory: both have yet to send {} bytes of it, which have changed meanwhile: {}; each rank needs "
        "memory of its own (no static or global variable), and keeps it while a request is open",
        message.source, other.source, bytes, which);
  }
  return "";
}

/// Nearly always: a message that does not is an error, or is cut.
bool MessageFlow::fits(const Message& message, const RequestSlot& slot) {
  if (message.payload.size() > static_cast<std::size_t>(slot.count) * slot.type.size()) return false;
  return message.type() == slot.type || message.count == 0 || slot.count == 0;
}

/// One that does not fit its receive. False: the run has failed with that.
bool MessageFlow::may_be_cut(MessageId id, ReceiveId receive) {
  const Message& message = run_.messages[id];
  const TaskState& task = run_.tasks[receive.task()];
  const RequestSlot& slot = task.slots[receive.slot()];
  const bool is_longer = message.payload.size() > static_cast<std::size_t>(slot.count) * slot.type.size();
  const bool takes_longer = slot.kind == RequestSlot::Kind::special && task.special->requests[receive.slot()].takes_longer;
  if (is_longer && takes_longer) return true;
  const std::string asked = fmt::format("rank {} asked for {}{}{}", message.dest, count_text(slot.count, slot.type),
                                        slot.peer < 0 ? " from any rank" : "", places_of(id, receive));
  if (is_longer)
    run_.failure.fail(CheckError::Kind::truncation, fmt::format("{} is longer than its receive: {}", describe(message), asked),
                      {.rank = message.dest});
  else
    run_.failure.fail(CheckError::Kind::usage, fmt::format("{} meets a receive of another type: {}", describe(message), asked),
                      {.rank = message.dest});
  return false;
}

/// A receive with more room than its message needs may share the rest with what is sent. False: the message needs that, too.
bool MessageFlow::stays_apart(const Message& message, ReceiveId receive) {
  const TaskState& task = run_.tasks[receive.task()];
  const SpecialRequest& request = task.special->requests[receive.slot()];
  if (message.payload.size() <= request.apart) return true;
  run_.failure.fail(CheckError::Kind::usage,
                    fmt::format("rank {}: {}; the message from rank {} is of {} bytes", task.rank, request.overlap(),
                                message.source, message.payload.size()),
                    {.rank = message.dest});
  return false;
}

bool MessageFlow::is_untouched(const Message& message, ReceiveId receive) {
  const TaskState& task = run_.tasks[receive.task()];
  // One who says what buffers show shows something else. A rank that has thrown has given its memory back.
  if (run_.recorder.poisoner() != nullptr || run_.failure.has_failed()) return true;
  const std::span<const VectorView> into = task.slots[receive.slot()].into.span();
  const std::size_t bytes = task.poisoned_bytes(receive.slot());
  if (bytes == 0 || message.payload.bytes() == into[0].data()) return true;  // or is there already: give_memory_back()
  const std::byte* const shown = into[0].data();
  static constexpr Hidden kPoison = [] {
    Hidden poison{};
    poison.fill(kReceivePoison);
    return poison;
  }();
  if (are_equal(shown, kPoison.data(), bytes)) [[likely]]
    return true;
  const std::byte* const changed = std::find_if(shown, shown + bytes, [](std::byte byte) { return byte != kReceivePoison; });
  run_.failure.fail(
      CheckError::Kind::hygiene,
      fmt::format("the buffer of a receive of rank {} was written to before its message was there: {}, byte {} of "
                  "it, seen at {}; wait for the request first",
                  task.rank, request_text(run_.describer, task, receive.slot()), changed - shown, to_string(run_.engine.now())),
      {.rank = task.rank});
  return false;
}

std::vector<MessageId> MessageFlow::unreceived() const {
  std::vector<MessageId> messages = taken_;
  for (const MessageId id : mailbox_.unpaired_messages()) messages.push_back(id);
  std::ranges::sort(messages, {}, [this](MessageId id) { return run_.messages[id].number; });
  return messages;
}

std::string describe(const Message& message) {
  return message_text(message.count, message.type(), message.source, message.dest, message.key.tag);
}

}  // namespace heddle::emu
