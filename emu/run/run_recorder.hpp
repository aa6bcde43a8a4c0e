// SPDX-License-Identifier: Apache-2.0
// What a run counts and says: messages and bytes by rank and by round, when ranks were done and by which path, and in the end
// the report. What happens it tells the run's sinks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/mix.hpp"
#include "core/pair_key.hpp"
#include "emu/engine/engine.hpp"
#include "emu/engine/tasks.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/host.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/record/record_sink.hpp"
#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "emu/run/ranks.hpp"
#include "emu/switches/in_network_call.hpp"
#include "heddle/collective.hpp"
#include "heddle/units.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

// A collective that ranks have asked the switches for: gathered until the last of them has, then under way.

/// Ranks are those of the group.
struct SwitchCall {
  std::shared_ptr<const Group> group;
  Collective collective = Collective::allreduce;
  std::vector<const CollectiveArguments*> arguments;  ///< by rank; nullptr until it has asked
  std::vector<TaskId> tasks;
  int first = 0;  ///< the rank that asked first
  int last = 0;   ///< and last
  std::size_t asked = 0;
  Time ready;            ///< the last rank has spent what it takes to ask
  CriticalPath path;     ///< of that; then of its start
  Time contention_free;  ///< of either, had nobody shared a link
  Time entered;          ///< it streams from then on
  Time alone;            ///< so long, had it the links for itself
  std::uint32_t record = CriticalPath::kNoRecord;
  std::uint32_t phase = CriticalPath::kNoRecord;  ///< that the last rank to ask was in
  int round = 0;
  bool second_call = true;
  InNetworkPlan plan;
};

/// What messages of one round add up to.
struct RoundSum {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t longest = 0;
  std::uint64_t digest = 0;  ///< a sum, so that the order of messages has no say

  void add(int source, int dest, std::int64_t wire_bytes, int round) {
    ++messages;
    bytes += wire_bytes;
    longest = std::max(longest, wire_bytes);
    digest += digest_of(source, dest, wire_bytes, round);
  }
  static std::uint64_t digest_of(int source, int dest, std::int64_t bytes, int round) {
    const std::uint64_t what = static_cast<std::uint64_t>(bytes) * kGoldenGamma + static_cast<std::uint64_t>(round);
    return mix(pair_key(source, dest) ^ mix(what));
  }
};

/// On the engine's thread, or inside of its guard; a rank's own thread may say that it is done.
class RunRecorder {
 public:
  /// All outlive it.
  RunRecorder(const Engine& engine, const Ranks& ranks, const RankCosts& costs, std::span<RecordSink* const> sinks)
      : engine_(engine),
        ranks_(ranks),
        costs_(costs),
        keepers_(sinks_among(sinks, true)),
        observers_(sinks_among(sinks, false)),
        of_rank_(static_cast<std::size_t>(ranks.count())) {}

  bool keeps_records() const { return !keepers_.empty(); }
  bool is_observed_in_order() const { return std::ranges::any_of(observers_, &RecordSink::keeps_order); }
  bool wants_places() const { return std::ranges::any_of(observers_, &RecordSink::wants_places); }
  /// Nothing where nobody knows: the text is empty.
  void note_call(const Message& message, const std::string& call) {
    if (call.empty()) return;
    for (RecordSink* sink : observers_) sink->called_by(message.number, call);
  }
  bool minds_room() const { return std::ranges::any_of(observers_, &RecordSink::minds_room); }
  /// As Host has it.
  RecordSink* poisoner() const {
    const auto found = std::ranges::find_if(observers_, &RecordSink::poisons);
    return found == observers_.end() ? nullptr : *found;
  }

  // ---- messages ----

  /// A send takes effect: the message gets its number in the run. Those that cross no network are not counted.
  void count(Message& message, TaskState& sender) {
    message.number = static_cast<std::uint64_t>(messages_carried_);
    count_carried(message.key.context, message.key.tag);
    if (!message.crosses_network()) return;
    ++sender.messages_sent;
    sender.sent += Bytes(message.wire_bytes);
    RoundSum sum;
    sum.add(message.source, message.dest, message.wire_bytes, message.round);
    count(sum, message.round);
  }
  /// Of one in this context, whether it crosses the network or not.
  void count_carried(std::uint32_t context, std::int32_t tag, std::int64_t messages = 1) {
    messages_carried_ += messages;
    note_stream(context, tag);
  }
  /// These cross the network, in this round.
  void count(const RoundSum& sum, int round) {
    longest_message_ = std::max(longest_message_, sum.longest);
    digest_ += sum.digest;
    count_in_round(round, sum.messages, sum.bytes);
  }
  /// It has been counted, and its outcome is known.
  void note_sent(Message& message, const TaskState& sender) {
    if (keeps_records() || !observers_.empty()) tell_sent(message, sender);
  }
  void note_receive(const RequestSlot& slot, int rank) {
    for (RecordSink* sink : observers_) sink->posted_receive(rank, slot.into.span());
    if (slot.key.source == kAnySource.value()) note_saw_order(rank, OrderSeen::any_source);
  }
  void note_saw_order(int rank, OrderSeen by) {
    for (RecordSink* sink : observers_) sink->saw_order(rank, by);
  }
  void note_withdrawn(const RequestSlot& slot, int rank) {
    for (RecordSink* sink : observers_) sink->withdrew_receive(rank, slot.into.span());
  }
  void note_asked_room(const RequestSlot& slot, const TaskState& sender) {
    for (RecordSink* sink : observers_) sink->asked_room(sender.rank, slot.peer, Tag(slot.key.tag), sender.shares_messages);
  }
  /// It has been written to `into`.
  void note_received(const Message& message, std::span<const VectorView> into) {
    for (RecordSink* sink : observers_)
      sink->received(message.number, ranks_.in_second_call(message.dest), engine_.now(), into);
  }

  // Where records are kept, of messages that cross the network.
  /// Its start-up begins at `started`; `previous`: the record of the message before it on its path.
  void note_injected(const Message& message, Time started, std::uint32_t previous) {
    for (RecordSink* sink : keepers_) sink->injected(message.record, started, message.entered, previous);
  }
  void note_drained(const Message& message, Time full_rate) {
    for (RecordSink* sink : keepers_) sink->drained(message.record, message.entered, engine_.now(), full_rate);
  }
  void note_arrived(const Message& message) {
    for (RecordSink* sink : keepers_) sink->arrived(message.record, message.entered, engine_.now());
  }

  // ---- switches ----

  /// Of a call that crosses the network: what goes up from a rank, it has sent, in one message.
  void count(const SwitchCall& call);
  /// What the ranks have given to the switches, or what they have got: a message each.
  void note_data(const SwitchCall& call, bool given);
  /// The type that switches reduce f32 in.
  void note_precision(Datatype precision) { switch_precision_ = precision; }
  /// No value: in none but its own, so far.
  std::optional<Datatype> switch_precision() const { return switch_precision_; }
  void note_started(SwitchCall& call);
  void note_streamed(const SwitchCall& call);

  // ---- tasks and ranks ----

  void note_blocked(TaskState& task) const {
    if (keeps_records()) task.blocked_since = engine_.now();
  }
  /// Where records are kept. Second calls are no part of it.
  void note_goes_on(const TaskState& task);
  /// Where records are kept: the task is in a phase from now on, named on a communicator at this depth; "": in that around it.
  void note_phase(TaskState& task, int depth, const std::string& name);
  /// A branch of `task` begins, in the same phase.
  void note_branch(const TaskState& task, TaskState& branch) const {
    if (!keeps_records()) return;
    branch.phase = task.phase;
    branch.phase_since = engine_.now();
  }
  /// The task has ended: what it has sent and received is its rank's.
  void note_ended(TaskState& task) {
    add_traffic(task, of(task.rank).report);
    if (keeps_records()) enter_phase(task, CriticalPath::kNoRecord);
  }
  /// A measured call of the rank has returned; its completion is not later than the last of them.
  void note_finish_line(int rank) {
    std::optional<Time>& finished = of(rank).finished;
    finished = std::max(engine_.now(), finished.value_or(engine_.now()));
  }
  /// All that is measured of the rank is over, on `task`.
  void note_completed(TaskState& task);

  /// What is spent outside of the emulation counts where time is real: since the end of `path` until `now`, by computing and by
  /// being woken late.
  void count_real_work(CriticalPath& path, Time now) const {
    if (costs_.is_real_time()) path.parts.local_work += now - path.parts.total();
  }

  /// Of all that has happened.
  Report report(const TaskTable& tasks, const NetworkRecorder& links, const Network& network, const Contexts& contexts) const;

 private:
  struct OfRank {
    RankReport report;
    CriticalPath path;  ///< of its completion
    Time contention_free;
    std::optional<Time> finished;  ///< crossed the finish line
  };

  OfRank& of(int rank) { return of_rank_[static_cast<std::size_t>(rank)]; }
  void note_stream(std::uint32_t context, std::int32_t tag) {
    most_tag_ = std::max(most_tag_, tag);
    if (context >= has_context_.size()) has_context_.resize(context + std::size_t{1});
    has_context_[context] = true;
  }
  void count_in_round(int number, std::int64_t messages, std::int64_t bytes) {
    const auto round = static_cast<std::size_t>(number);
    if (round > rounds_.size()) rounds_.resize(round);
    rounds_[round - 1].messages += messages;
    rounds_[round - 1].bytes += Bytes(bytes);
  }
  StreamsReport streams(const Contexts& contexts) const;
  static void add_traffic(const TaskState& task, RankReport& report);
  void tell_sent(Message& message, const TaskState& sender);
  std::uint32_t phase_named(std::uint32_t within, int depth, const std::string& name);
  void enter_phase(TaskState& task, std::uint32_t phase);

  const Engine& engine_;
  const Ranks& ranks_;
  const RankCosts& costs_;
  std::vector<RecordSink*> keepers_;    ///< sinks that keep times
  std::vector<RecordSink*> observers_;  ///< and those that look at data
  std::uint32_t records_ = 0;
  std::vector<RoundReport> rounds_;
  std::uint64_t digest_ = 0;
  std::int64_t messages_carried_ = 0;
  std::int32_t most_tag_ = 0;
  std::int64_t longest_message_ = 0;
  std::vector<bool> has_context_;  ///< by context: some message was sent in it
  std::vector<OfRank> of_rank_;
  std::vector<NamedPhase> phases_;  ///< as Timeline::phases
  std::map<std::tuple<std::uint32_t, int, std::string>, std::uint32_t> phase_numbers_;
  bool switches_computed_ = false;
  std::optional<Datatype> switch_precision_;
};

}  // namespace heddle::emu
