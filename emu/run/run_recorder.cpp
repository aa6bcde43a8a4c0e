// SPDX-License-Identifier: Apache-2.0
#include "emu/run/run_recorder.hpp"

#include <cmath>

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
    case TaskState::Blocked::second_call:
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

void RunRecorder::tell_sent(Message& message, const TaskState& sender) {
  const PostedMessage posted{.number = message.number,
                             .source = message.source,
                             .dest = message.dest,
                             .tag = Tag(message.key.tag),
                             .round = message.round,
                             .second_call = message.second_call,
                             .time = engine_.now(),
                             .data = {message.payload.bytes(), message.count, message.type()},
                             .from = message.from.span(),
                             .bytes = message.wire_bytes,
                             .task = sender.number,
                             .task_family = sender.family,
                             .credits_by_tag = message.credits_by_tag,
                             .phase = sender.phase};
  for (RecordSink* sink : observers_) sink->posted(posted);
  const bool is_kept = keeps_records() && message.crosses_network();
  message.record = is_kept ? records_++ : CriticalPath::kNoRecord;
  if (!is_kept) return;
  for (RecordSink* sink : keepers_) sink->posted(posted);
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
    if (received > 0) digest_ += RoundSum::digest_of(PostedMessage::kSwitches, call.group->members[r], received, call.round);
    if (sent > 0) digest_ += RoundSum::digest_of(call.group->members[r], PostedMessage::kSwitches, sent, call.round);
    if (sent == 0) continue;
    ++messages_carried_;
    ++report.messages;
    report.sent += Bytes(sent);
    count_in_round(call.round, 1, sent);
  }
}

void RunRecorder::note_data(const SwitchCall& call, bool given) {
  if (observers_.empty()) return;
  for (std::size_t r = 0; r < call.arguments.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const VectorView got = given ? VectorView() : got_by(call.collective, *call.arguments[r], rank);
    const ConstVectorView data = given ? given_by(call.collective, *call.arguments[r], rank) : ConstVectorView(got);
    if (data.empty()) continue;
    const int member = call.group->members[r];
    const auto number = static_cast<std::uint64_t>(messages_carried_++);
    for (RecordSink* sink : observers_) {
      sink->posted({.number = number,
                    .source = given ? member : PostedMessage::kSwitches,
                    .dest = given ? PostedMessage::kSwitches : member,
                    .round = call.round,
                    .second_call = call.second_call,
                    .time = engine_.now(),
                    .data = data,
                    .from = given ? std::span(&data, 1) : std::span<const ConstVectorView>()});
      sink->received(number, call.second_call, engine_.now(), given ? std::span<const VectorView>() : std::span(&got, 1));
    }
  }
}

void RunRecorder::note_started(SwitchCall& call) {
  if (!keeps_records()) return;
  MessageRecord record;
  record.source = record.dest = MessageRecord::kSwitches;
  record.round = call.round;
  record.bytes = std::llround(call.plan.bytes * costs_.byte_scale());
  record.posted = engine_.now();
  record.started = call.ready;
  record.entered = call.entered;
  record.previous = call.path.last_record;
  record.phase = call.phase;
  for (RecordSink* sink : keepers_) sink->switches_started(record, call.collective, call.group->members);
  call.record = call.path.last_record = records_++;
}

void RunRecorder::note_streamed(const SwitchCall& call) {
  if (call.record == CriticalPath::kNoRecord) return;
  const Time arrived = engine_.now() + *std::max_element(call.plan.latency.begin(), call.plan.latency.end());
  for (RecordSink* sink : keepers_) {
    sink->drained(call.record, call.entered, engine_.now(), call.alone);
    sink->arrived(call.record, call.entered, arrived);
  }
}

// ---- tasks and ranks ----

void RunRecorder::note_goes_on(const TaskState& task) {
  const Time now = engine_.now();
  if (now == task.blocked_since || ranks_.in_second_call(task.rank)) return;
  const SpanRecord span{.rank = task.rank,
                        .task = task.number,
                        .kind = kind_of(task.blocked),
                        .begin = task.blocked_since,
                        .end = now,
                        .message = task.path.last_record};
  for (RecordSink* sink : keepers_) sink->waited(span);
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
  for (RecordSink* sink : keepers_) sink->named(phases_.back());
  return place->second;
}

void RunRecorder::enter_phase(TaskState& task, std::uint32_t phase) {
  if (phase == task.phase) return;
  const Time now = engine_.now();
  if (task.phase != CriticalPath::kNoRecord && now > task.phase_since) {
    const PhaseRecord record{
        .rank = task.rank, .task = task.number, .phase = task.phase, .begin = task.phase_since, .end = now};
    for (RecordSink* sink : keepers_) sink->was_in_phase(record);
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

StreamsReport RunRecorder::streams(const Contexts& contexts) const {
  StreamsReport streams{.most_tag = most_tag_, .longest_message = Bytes(longest_message_)};
  for (std::uint32_t context = 0; context < has_context_.size() && streams.most_context; ++context) {
    if (!has_context_[context]) continue;
    const ContextPath path = contexts.path(context);
    streams.most_context = path ? std::max(streams.most_context, path) : std::nullopt;
  }
  return streams;
}

Report RunRecorder::report(const TaskTable& tasks, const NetworkRecorder& links, const Network& network,
                           const Contexts& contexts) const {
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
  network.add_to(report);
  report.rounds = rounds_;
  const std::vector<int>& peaks = links.round_peaks();
  for (std::size_t i = 0; i < std::min(peaks.size(), rounds_.size()); ++i) report.rounds[i].peak_flows = peaks[i];
  report.messages_digest = digest_;
  report.streams = streams(contexts);
  report.switches_computed = switches_computed_;
  report.switch_precision = switch_precision_;
  report.peak_tasks = tasks.peak();
  report.byte_scale = costs_.byte_scale();
  report.host.messages = messages_carried_;
  report.host.dilation = engine_.dilation();
  return report;
}

}  // namespace heddle::emu
