// SPDX-License-Identifier: Apache-2.0
#include "emu/run/emulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "emu/switches/in_network_call.hpp"

namespace heddle::emu {

SwitchCall& SwitchCalls::call_of(TaskId id, const PendingSwitchCall& operation) {
  const auto [place, is_new] = gathering_.try_emplace({operation.context, operation.call}, 0);
  if (is_new) {
    if (free_.empty()) {
      free_.push_back(static_cast<StreamId>(calls_.size()));
      calls_.emplace_back();
    }
    place->second = free_.back();
    free_.pop_back();
    auto call = std::make_unique<SwitchCall>();
    call->group = operation.group;
    call->collective = operation.collective;
    call->arguments.resize(operation.group->members.size());
    call->tasks.resize(operation.group->members.size());
    call->first = operation.rank;
    calls_[place->second] = std::move(call);
  }
  run_.tasks[id].in_network_call = place->second;
  return *calls_[place->second];
}

void SwitchCalls::take(TaskId id, const PendingSwitchCall& operation) {
  SwitchCall& call = call_of(id, operation);
  if (!agrees(call, operation)) return;
  const TaskState& task = run_.tasks[id];
  call.arguments[static_cast<std::size_t>(operation.rank)] = operation.arguments;
  call.tasks[static_cast<std::size_t>(operation.rank)] = id;
  call.second_call = call.second_call && run_.ranks.in_second_call(task.rank);
  call.round = std::max(call.round, task.round + 1);
  call.last = operation.rank;
  call.phase = task.phase;
  spend_overhead(call, task);
  if (++call.asked < call.arguments.size()) return;
  gathering_.erase({operation.context, operation.call});
  start(task.in_network_call);
}

/// The rank does so as soon as it has done with everything before; the call is ready when the last has.
void SwitchCalls::spend_overhead(SwitchCall& call, const TaskState& task) {
  Time ready = run_.engine.now();
  CriticalPath path = task.path;
  Time contention_free = task.contention_free;
  const Time overhead = run_.slowed(task.rank, run_.costs.send_overhead());
  if (!run_.ranks.in_second_call(task.rank) && overhead > Time()) {
    const Ranks::Begin begin = run_.ranks.occupy(task.rank, {ready, contention_free}, overhead);
    path.parts.waiting += begin.time - ready;
    path.parts.startup += overhead;
    ready = begin.time + overhead;
    contention_free = begin.contention_free + overhead;
  }
  if (ready >= call.ready) {
    call.ready = ready;
    call.path = path;
  }
  call.contention_free = std::max(call.contention_free, contention_free);
}

bool SwitchCalls::agrees(const SwitchCall& call, const PendingSwitchCall& operation) {
  if (call.asked == 0) return true;
  const CollectiveArguments& first = *call.arguments[static_cast<std::size_t>(call.first)];
  if (call.collective == operation.collective && is_same_call(operation.collective, first, *operation.arguments)) return true;
  const std::vector<int>& members = call.group->members;
  run_.failure.fail(
      CheckError::Kind::usage,
      fmt::format("rank {} calls an in-network {} where rank {} calls an in-network {}: all ranks must ask for the same",
                  members[static_cast<std::size_t>(operation.rank)], call_text(operation.collective, *operation.arguments),
                  members[static_cast<std::size_t>(call.first)], call_text(call.collective, first)));
  return false;
}

void SwitchCalls::start(StreamId id) {
  SwitchCall& call = *calls_[id];
  if (const std::string text = mismatch(call.collective, call.arguments); !text.empty())
    return run_.failure.fail(CheckError::Kind::usage, fmt::format("in-network {}: {}", to_string(call.collective), text));
  const InNetworkDomain& domain = *call.group->in_network;
  const Datatype type = type_of(call.collective, *call.arguments[0]);
  const std::optional<Datatype> precision = domain.precision(call.collective, type);
  call.plan =
      plan_in_network(domain, call.collective, sizes_of(call.collective, call.arguments), precision.value_or(type).size());
  if (precision) run_.recorder.note_precision(*precision);
  run_.recorder.note_data(call, true);
  move_data(call.collective, domain.tree(call.collective), precision, call.arguments);
  run_.recorder.note_data(call, false);
  // A rank that is alone needs no switch; a vector of no bytes takes no time.
  const bool is_idle = call.arguments.size() == 1 ||
                       std::all_of(call.plan.ranks.begin(), call.plan.ranks.end(),
                                   [](const InNetworkDomain::Flow& flow) { return flow.up == 0 && flow.down == 0; });
  if (!is_idle) {
    for (const TaskId task : call.tasks) run_.tasks[task].round = call.round;
  }
  const Time now = run_.engine.now();
  if (call.second_call || is_idle) {
    std::fill(call.plan.latency.begin(), call.plan.latency.end(), Time());
    call.path = run_.tasks[call.tasks[static_cast<std::size_t>(call.last)]].path;
    call.entered = now;
    return streamed(id);
  }
  run_.recorder.count(call);
  const Time alpha = run_.costs.alpha();
  call.entered = call.ready + alpha;
  call.contention_free += alpha;
  call.path.parts.startup += alpha;
  call.path.bytes += std::llround(call.plan.bytes * run_.costs.byte_scale());
  ++call.path.messages;
  run_.recorder.note_started(call);
  if (call.entered == now)
    enter_network(id);
  else
    run_.engine.at(call.entered, *this, id);
}

void SwitchCalls::enter_network(StreamId id) {
  SwitchCall& call = *calls_[id];
  std::vector<StreamLink> links;
  links.reserve(call.plan.loads.size());
  for (const InNetworkDomain::Load& load : call.plan.loads)
    links.push_back({load.link, load.bytes / call.plan.bytes, load.counts});
  const double bytes = call.plan.bytes * run_.costs.byte_scale();
  call.alone = alone_.of(links, bytes);
  network_.stream({.stream = id, .links = links, .bytes = bytes, .round = call.round, .record = call.record});
}

void SwitchCalls::streamed(StreamId id) {
  const std::unique_ptr<SwitchCall> call = std::move(calls_[id]);
  free_.push_back(id);
  const Time now = run_.engine.now();
  run_.recorder.note_streamed(*call);
  for (std::size_t r = 0; r < call->tasks.size(); ++r) {
    const Time latency = call->plan.latency[r];
    TaskState& task = run_.tasks[call->tasks[r]];
    Cause cause = drained_after(call->path, call->entered, now, call->alone);
    cause.propagation = latency;
    task.path = cause.path();
    task.contention_free = call->contention_free + call->alone + latency;
    if (latency == Time())
      run_.wakes.resume(call->tasks[r]);
    else
      run_.wakes.resume_at(now + latency, call->tasks[r]);
  }
}

bool SwitchCalls::wait_for(const TaskState& task, int rank) const {
  // What it has asked for may not have taken effect yet: then it has no call.
  if (!task.operations.empty()) {
    const auto* operation = std::get_if<std::unique_ptr<PendingSwitchCall>>(&task.operations.back());
    return operation != nullptr && std::ranges::find((*operation)->group->members, rank) != (*operation)->group->members.end();
  }
  const SwitchCall* call = calls_[task.in_network_call].get();
  if (call == nullptr) return false;  // it streams
  for (std::size_t r = 0; r < call->arguments.size(); ++r) {
    if (call->group->members[r] == rank) return call->arguments[r] == nullptr;
  }
  return false;
}

std::string SwitchCalls::describe_wait(const TaskState& task, int& peer) const {
  constexpr std::size_t kMostNamed = 8;
  const SwitchCall& call = *calls_[task.in_network_call];
  std::string missing;
  std::size_t count = 0;
  for (std::size_t r = 0; r < call.arguments.size(); ++r) {
    if (call.arguments[r] != nullptr) continue;
    if (count == 0) peer = call.group->members[r];
    if (count < kMostNamed) missing += fmt::format("{}{}", count == 0 ? "" : ", ", call.group->members[r]);
    ++count;
  }
  if (count > kMostNamed) missing += fmt::format(" and {} more", count - kMostNamed);
  return fmt::format("in an in-network {} for rank{} {}", to_string(call.collective), count == 1 ? "" : "s", missing);
}

}  // namespace heddle::emu
