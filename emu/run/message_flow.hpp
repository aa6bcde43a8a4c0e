// SPDX-License-Identifier: Apache-2.0
// The life of a message: sent, injected into the network, drained, arrived, paired with its receive, delivered.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mix.hpp"
#include "core/pair_key.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/message_id.hpp"
#include "emu/messages/special_calls.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/network.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/run/run_state.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

// How many messages one rank may have sent to another that have not been received; what is over that waits. Where tasks share a
// rank's messages, each tag counts for itself: a channel between two ranks, with buffers of its own.

class Credits {
 public:
  /// Who has credits of its own.
  struct Pair {
    int source;
    int dest;
    std::optional<int> tag;  ///< of messages whose tags count for themselves

    bool operator==(const Pair&) const = default;
  };

  /// Each has so many, ≥ 1.
  explicit Credits(int per_pair) : per_pair_(per_pair) {}

  /// Takes one for a message. False: all are taken, and the message waits behind those that wait already.
  bool take(const Pair& pair, MessageId message) {
    Taken& taken = taken_[pair];
    if (taken.used == per_pair_) {
      taken.waiting.push_back(message);
      return false;
    }
    ++taken.used;
    return true;
  }

  bool has_room(const Pair& pair) const {
    const auto taken = taken_.find(pair);
    return taken == taken_.end() || taken->second.used < per_pair_;
  }
  /// A request, by its task and slot, that completes once there is room.
  void wait_for_room(const Pair& pair, ReceiveId request) {
    taken_[pair].for_room.push_back(request);
    ++waiting_for_room_;
  }
  /// All requests that wait for room of the pair, which has some now.
  std::vector<ReceiveId> take_waiting_for_room(const Pair& pair) {
    if (waiting_for_room_ == 0) return {};  // nearly always
    std::vector<ReceiveId> all = std::exchange(taken_[pair].for_room, {});
    waiting_for_room_ -= all.size();
    return all;
  }

  /// A message of the pair has been received. The one that has its credit now, if one waits.
  std::optional<MessageId> give_back(const Pair& pair) {
    Taken& taken = taken_[pair];
    if (taken.waiting.empty()) {
      --taken.used;
      return std::nullopt;
    }
    const MessageId next = taken.waiting.front();
    taken.waiting.pop_front();
    return next;
  }

 private:
  struct Taken {
    int used = 0;
    std::list<MessageId> waiting;  // asks for no memory while it is empty, as it nearly always is
    std::vector<ReceiveId> for_room;
  };
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      const std::uint64_t tag = pair.tag ? mix(static_cast<std::uint64_t>(*pair.tag)) : 0;
      return std::hash<std::uint64_t>()(pair_key(pair.source, pair.dest) ^ tag);
    }
  };

  int per_pair_;
  std::size_t waiting_for_room_ = 0;  ///< of all pairs
  std::unordered_map<Pair, Taken, Hash> taken_;
};

/// Whose credits it takes.
inline Credits::Pair credits_of(const Message& message) {
  return {message.source, message.dest, message.credits_by_tag ? std::optional<int>(message.key.tag) : std::nullopt};
}

class OrderDirector;

/// Told of messages that can be found from now on.
class MessageWatch {
 public:
  /// One for this rank of the run. It may have been paired at once. What `cause` refers to stays until this returns.
  virtual void message_came(int rank, const Cause& cause) = 0;

 protected:
  ~MessageWatch() = default;
};

/// On the engine's thread, or inside of its guard.
class MessageFlow final : private Alarm, private SendOrder {
 public:
  /// All references outlive it. `credits` of each pair of ranks; 0: synchronous, no value: eager. `director`: nullptr in the
  /// usual order.
  MessageFlow(RunState& run, const Placement& placement, Network& network, const AloneTimes& alone, std::optional<int> credits,
              OrderDirector* director);

  // What a task has asked for takes effect.
  void take(TaskId task, const PendingSend& operation);
  void take(TaskId task, const PendingReceive& operation);
  void take(TaskId task, const PendingRoom& operation);
  void take(TaskId task, const PendingTakenReceive& operation);

  // What the network says.
  void drained(MessageId message, Time arrival);
  /// It has drained, and it is not known yet when it arrives.
  void left(MessageId message) { release_sender(message); }
  void arrived(MessageId message) {
    if (director_ == nullptr)
      arrive(message);
    else
      jitter_arrival(message);
  }
  /// One whose arrival the director has held back.
  void arrive(MessageId message);

  // For those that look at messages without receiving them.
  void let_watch(MessageWatch& watch) { watch_ = &watch; }
  /// What a receive in the place of this probe would be paired with, if it is there.
  bool look(TaskId task, Probe& probe);
  /// As that, and the message is taken out of matching.
  bool take_out(TaskId task, Probe& probe);
  /// A receive that is not paired ends: it leaves matching, and its buffer is as before. False: it is paired.
  bool withdraw(TaskId task, std::uint32_t slot);
  /// A send whose message is not paired ends, whether it has drained or not: nobody receives it. False: it is paired, or the send was a
  /// plain one.
  bool withdraw_send(TaskId task, std::uint32_t slot);
  /// What this request sends goes on without it: its task has ended.
  void let_go(TaskId task, std::uint32_t slot);

  const Mailbox& mailbox() const { return mailbox_; }
  void let_choose(AnySourceChoice& choice) { mailbox_.let_choose(choice); }
  std::optional<int> credits_per_pair() const { return credits_per_pair_; }
  /// Messages that nobody has received, in the order in which they were sent.
  std::vector<MessageId> unreceived() const;
  /// Of these, those that a matched probe has taken.
  const std::vector<MessageId>& taken() const { return taken_; }
  /// As describe(), and where it was sent, if somebody knows.
  std::string text_of(const Message& message) const;
  /// The call that has sent it; `place` null: nobody knows.
  PlacedCall call_of(MessageId id) const;

 private:
  /// What the alarm is set for.
  enum class Due : std::uint64_t { entry, arrival, late_arrival };

  void on_timer(std::uint64_t payload) override;
  void prefetch(std::uint64_t payload, int stage) const override;
  void set_timer(Time time, Due what, MessageId message) {
    run_.engine.at(time, *this, static_cast<std::uint64_t>(what) << 32 | message);
  }

  /// It starts when its receive is posted; to oneself, too.
  bool is_synchronous(MessageId id, const Message& message) const {
    if (message.is_special) [[unlikely]]
      return all_synchronous_ || run_.messages.special(id).mode == SendMode::synchronous;
    return all_synchronous_;
  }
  std::uint64_t number(MessageId message) const override { return run_.messages[message].number; }
  void take_special(TaskId task, MessageId id, const Cause& cause);
  void await_no_more(MessageId id);
  void drop(MessageId id, const Cause& cause);
  /// It can be received from now on.
  [[gnu::always_inline]] void show(MessageId id, ChannelId channel, const Cause& cause) {
    if (watch_ != nullptr) [[unlikely]]
      return show_watched(id, cause);
    mailbox_.make_visible(channel, id, pairings_);
    deliver_pairings(cause);
  }
  void show_watched(MessageId id, const Cause& cause);
  void begin_any_tag(std::int32_t tag) {
    if (tag == kAnyTag.value()) mailbox_.begin_any_tag(*this);
  }
  void tell(MessageId message, Probe& probe) const;
  std::string places_of(MessageId message, ReceiveId receive) const;
  void inject(MessageId message, const Cause& cause);
  Time occupy_sender(Message& message, Time overhead);
  void enter_network(MessageId message);
  void release_sender(MessageId message);
  void jitter_arrival(MessageId message);
  void hold_or_arrive(MessageId message);
  void deliver_pairings(const Cause& why);
  void deliver(MessageId message, ReceiveId receive, const Cause& cause);
  void give_credit_back(const Message& message, const Cause& cause, Time contention_free);
  void complete(TaskId task, std::uint32_t slot, int round, const Cause& cause, Time contention_free) {
    run_.complete(task, slot, round, cause, contention_free);
  }
  void complete_send(MessageId id, const Message& message, const Cause& cause) {
    if (message.is_special && run_.messages.special(id).is_unawaited) [[unlikely]]
      return;
    complete(message.sender, message.sender_slot, message.round, cause, cause.contention_free);
  }
  bool survives(Message& message);
  bool is_unchanged(const Message& message);
  void give_memory_back(MessageId id, Message& message);
  std::byte* place_for(MessageId id, const Message& message) const;
  bool is_forsaken(const Message& message) const;
  std::string receive_into_send_buffer(const Message& message, const std::string& which) const;
  std::string other_sender(const Message& message, const std::string& which) const;
  static bool fits(const Message& message, const RequestSlot& slot);
  bool may_be_cut(MessageId id, ReceiveId receive);
  bool stays_apart(const Message& message, ReceiveId receive);
  /// Its buffer shows what a receive shows until its message is there, as far as that goes.
  bool is_untouched(const Message& message, ReceiveId receive);
  void note_special_receive(MessageId id, const Message& message, ReceiveId receive);

  RunState& run_;
  const Placement& placement_;
  Network& network_;
  const AloneTimes& alone_;
  OrderDirector* director_;
  std::optional<int> credits_per_pair_;
  bool all_synchronous_;  ///< messages of the mode standard, too
  Mailbox mailbox_;
  std::vector<Pairing> pairings_;  ///< that have still to be delivered
  Credits credits_;                ///< where there are some
  std::vector<MessageId> taken_;   ///< out of matching, and not yet asked to be received
  MessageWatch* watch_ = nullptr;
};

/// After `path`, something entered the network at `entered`, had drained at `drained`, and would have after `alone` by itself.
inline Cause drained_after(const CriticalPath& path, Time entered, Time drained, Time alone) {
  const Time spent = drained - entered;
  // Rates are floating point: they round to a picosecond either way.
  const Time contention = spent - alone > Time::ps(1) ? spent - alone : Time();
  return {.base = &path, .serialisation = spent - contention, .contention = contention};
}

/// "the message of 12 x i32 from rank 0 to rank 1 (tag 0)".
std::string describe(const Message& message);

}  // namespace heddle::emu
