// SPDX-License-Identifier: Apache-2.0
#include "emu/run/run_recorder.hpp"

#include <algorithm>
#include <cmath>

#include "emu/switches/in_network_call.hpp"

namespace heddle::emu {

namespace {

SpanRecord::Kind kind_of(TaskState::Blocked blocked) {
  switch (blocked) {
    case TaskState::Blocked::children:
      return SpanRecord::Kind::children;
    case TaskState::Blocked::split:
    case TaskState::Blocked::form:
      return SpanRecord::Kind::split;
    case TaskState::Blocked::in_network:
      return SpanRecord::Kind::in_network;
    case TaskState::Blocked::work:
      return SpanRecord::Kind::work;
    case TaskState::Blocked::no:       // never: it is blocked
    case TaskState::Blocked::stopped:  // never: it does not go on
    case TaskState::Blocked::question:
    case TaskState::Blocked::probe:
    case TaskState::Blocked::doze:
    case TaskState::Blocked::requests:
      break;
  }
  return SpanRecord::Kind::requests;
}

}  // namespace

// ---- messages ----

/// Both number them alike.
template <class MakeRecord>
std::uint32_t RunRecorder::add_record(const RunSample::Sent& sent, const MakeRecord& make_record) {
  auto number = CriticalPath::kNoRecord;
  if (sample_ != nullptr) number = sample_->sent(sent, make_record);
  if (timeline_ == nullptr) return number;
  timeline_->messages.push_back(make_record());
  return static_cast<std::uint32_t>(timeline_->messages.size() - 1);
}

void RunRecorder::show_sent(const Message& message, const TaskState& sender) const {
  observer_->posted({.number = message.number,
                     .source = message.source,
                     .dest = message.dest,
                     .tag = Tag(message.key.tag),
                     .round = message.round,
                     .second_call = message.second_call,
                     .time = engine_.now(),
                     .data = {message.payload.bytes(), message.count, message.type()},
                     .from = message.from.span(),
                     .task = sender.number,
                     .task_family = sender.family,
                     .credits_by_tag = message.credits_by_tag});
}

void RunRecorder::record_sent(Message& message, const TaskState& sender) {
  message.record = CriticalPath::kNoRecord;
  if (!message.crosses_network()) return;
  message.record = add_record({message.source, message.dest, message.round, sender.phase, engine_.now()}, [&] {
    MessageRecord record;
    record.source = message.source;
    record.dest = message.dest;
    record.tag = message.key.tag;
    record.round = message.round;
    record.bytes = message.wire_bytes;
    record.posted = engine_.now();
    record.phase = sender.phase;
    return record;
  });
}

void RunRecorder::note_injected(const Message& message, Time started, std::uint32_t previous) {
  if (sample_ != nullptr) sample_->injected(message.record, started, message.entered, previous);
  if (timeline_ == nullptr) return;
  MessageRecord& record = timeline_->messages[message.record];
  record.started = started;
  record.entered = message.entered;
  record.previous = previous;
}

void RunRecorder::note_drained(const Message& message, Time full_rate) {
  if (sample_ != nullptr) sample_->drained(message.record, message.entered, engine_.now(), full_rate);
  if (timeline_ == nullptr) return;
  MessageRecord& record = timeline_->messages[message.record];
  record.drained = engine_.now();
  record.full_rate = full_rate;
}

void RunRecorder::note_arrived(const Message& message) {
  if (sample_ != nullptr) sample_->arrived(message.record, message.entered, engine_.now());
  if (timeline_ != nullptr) timeline_->messages[message.record].arrived = engine_.now();
}

// ---- switches ----

void RunRecorder::count(const SwitchCall& call) {
  switches_computed_ = true;
  const auto round = static_cast<std::size_t>(call.round);
  if (round > rounds_.size()) rounds_.resize(round);
  for (std::size_t r = 0; r < call.plan.ranks.size(); ++r) {
    const InNetworkDomain::Flow& flow = call.plan.ranks[r];
    RankReport& report = of(call.group->members[r]).report;
    const std::int64_t sent = costs_.wire_bytes(static_cast<std::size_t>(flow.up));
    const std::int64_t received = costs_.wire_bytes(static_cast<std::size_t>(flow.down));
    report.received += Bytes(received);
    if (received > 0) digest_ += digest_of(PostedMessage::kSwitches, call.group->members[r], received, call.round);
    if (sent > 0) digest_ += digest_of(call.group->members[r], PostedMessage::kSwitches, sent, call.round);
    if (sent == 0) continue;
    ++messages_carried_;
    ++report.messages;
    report.sent += Bytes(sent);
    count_in_round(call.round, sent);
  }
}

void RunRecorder::show_data(const SwitchCall& call, bool given) {
  for (std::size_t r = 0; r < call.arguments.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const VectorView got = given ? VectorView() : got_by(call.collective, *call.arguments[r], rank);
    const ConstVectorView data = given ? given_by(call.collective, *call.arguments[r], rank) : ConstVectorView(got);
    if (data.empty()) continue;
    const int member = call.group->members[r];
    const auto number = static_cast<std::uint64_t>(messages_carried_++);
    observer_->posted({.number = number,
                       .source = given ? member : PostedMessage::kSwitches,
                       .dest = given ? PostedMessage::kSwitches : member,
                       .tag = {},
                       .round = call.round,
                       .second_call = call.second_call,
                       .time = engine_.now(),
                       .data = data,
                       .from = given ? std::span(&data, 1) : std::span<const ConstVectorView>()});
    observer_->received(number, call.second_call, engine_.now(), given ? std::span<const VectorView>() : std::span(&got, 1));
  }
}

void RunRecorder::record_started(SwitchCall& call) {
  MessageRecord record;
  record.source = record.dest = MessageRecord::kSwitches;
  record.round = call.round;
  record.bytes = std::llround(call.plan.bytes * costs_.byte_scale());
  record.posted = engine_.now();
  record.started = call.ready;
  record.entered = call.entered;
  record.previous = call.path.last_record;
  record.phase = call.phase;
  if (timeline_ != nullptr) {
    record.operation = static_cast<std::uint32_t>(timeline_->operations.size());
    timeline_->operations.push_back({.collective = call.collective, .ranks = call.group->members});
  }
  call.record = add_record({record.source, record.dest, record.round, record.phase, record.posted}, [&] { return record; });
  if (sample_ != nullptr) sample_->injected(call.record, record.started, record.entered, record.previous);
  call.path.last_record = call.record;
}

void RunRecorder::record_streamed(const SwitchCall& call) {
  if (call.record == CriticalPath::kNoRecord) return;
  const Time arrived = engine_.now() + *std::max_element(call.plan.latency.begin(), call.plan.latency.end());
  if (sample_ != nullptr) {
    sample_->drained(call.record, call.entered, engine_.now(), call.alone);
    sample_->arrived(call.record, call.entered, arrived);
  }
  if (timeline_ == nullptr) return;
  MessageRecord& record = timeline_->messages[call.record];
  record.drained = engine_.now();
  record.full_rate = call.alone;
  record.arrived = arrived;
}

// ---- tasks and ranks ----

void RunRecorder::note_goes_on(const TaskState& task) {
  if (!follows(task)) return;
  const Time now = engine_.now();
  if (now == task.blocked_since || ranks_.in_second_call(task.rank)) return;
  const SpanRecord span{.rank = task.rank,
                        .task = task.number,
                        .kind = kind_of(task.blocked),
                        .begin = task.blocked_since,
                        .end = now,
                        .message = task.path.last_record};
  if (sample_ != nullptr && sample_->follows(task.rank)) sample_->waited(span);
  if (timeline_ != nullptr) timeline_->spans.push_back(span);
}

void RunRecorder::note_phase(TaskState& task, int depth, const std::string& name) {
  if (ranks_.in_second_call(task.rank)) return;
  std::uint32_t around = task.phase;
  while (around != CriticalPath::kNoRecord && phases_[around].depth >= depth) around = phases_[around].within;
  enter_phase(task, name.empty() ? around : phase_named(around, depth, name));
}

/// Its index; a new one if there is none like it.
std::uint32_t RunRecorder::phase_named(std::uint32_t within, int depth, const std::string& name) {
  const auto [place, is_new] = phase_numbers_.try_emplace({within, depth, name}, static_cast<std::uint32_t>(phases_.size()));
  if (!is_new) return place->second;
  phases_.push_back({name, within, depth});
  if (sample_ != nullptr) sample_->named(phases_.back());
  if (timeline_ != nullptr) timeline_->phases.push_back(phases_.back());
  return place->second;
}

void RunRecorder::enter_phase(TaskState& task, std::uint32_t phase) {
  if (phase == task.phase) return;
  const Time now = engine_.now();
  if (task.phase != CriticalPath::kNoRecord && now > task.phase_since) {
    const PhaseRecord record{
        .rank = task.rank, .task = task.number, .phase = task.phase, .begin = task.phase_since, .end = now};
    if (sample_ != nullptr) sample_->was_in_phase(record);
    if (timeline_ != nullptr) timeline_->phase_records.push_back(record);
  }
  task.phase = phase;
  task.phase_since = now;
}

void RunRecorder::add_traffic(const TaskState& task, RankReport& report) {
  report.messages += task.messages_sent;
  report.sent += task.sent;
  report.received += task.received;
}

void RunRecorder::note_completed(TaskState& task) {
  if (keeps_records()) enter_phase(task, CriticalPath::kNoRecord);
  OfRank& rank = of(task.rank);
  rank.report.completion = rank.finished.value_or(engine_.now());
  rank.report.rounds = task.round;
  rank.path = task.path;
  count_real_work(rank.path, rank.report.completion);
  rank.contention_free = task.contention_free;
}

Report RunRecorder::report(const TaskTable& tasks, const NetworkRecorder& links, const Network& network) const {
  Report report;
  report.ranks.reserve(of_rank_.size());
  for (const OfRank& rank : of_rank_) {
    report.ranks.push_back(rank.report);
    report.contention_free = std::max(report.contention_free, rank.contention_free);
    if (report.ranks.size() > 1 && rank.report.completion <= report.completion) continue;
    report.completion = rank.report.completion;
    report.critical_path = rank.path;
  }
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (tasks.is_live(id)) add_traffic(tasks[id], report.ranks[static_cast<std::size_t>(tasks[id].rank)]);
  }
  report.links = links.links();
  report.background = network.background(report.completion);
  report.rounds = rounds_;
  const std::vector<int>& peaks = links.round_peaks();
  for (std::size_t i = 0; i < std::min(peaks.size(), rounds_.size()); ++i) report.rounds[i].peak_flows = peaks[i];
  report.messages_digest = digest_;
  report.switches_computed = switches_computed_;
  report.switch_precision = switch_precision_;
  report.peak_tasks = tasks.peak();
  report.byte_scale = costs_.byte_scale();
  report.host.messages = messages_carried_;
  report.host.dilation = engine_.dilation();
  return report;
}

}  // namespace heddle::emu
