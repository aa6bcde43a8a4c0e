// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/pair_key.hpp"
#include "core/random.hpp"
#include "emu/run/run_state.hpp"
#include "emu/run/task_runner.hpp"

namespace heddle::emu {

namespace {

/// From 0 to 1, of this message alone: whatever else is sent, and in whatever order, it is the same.
double drawn_share(std::uint64_t seed, int source, int dest, std::int64_t nth) {
  SplitMix64 of_pair(SplitMix64(seed).next() ^ pair_key(source, dest));
  SplitMix64 of_message(of_pair.next() ^ static_cast<std::uint64_t>(nth));
  return std::ldexp(static_cast<double>(of_message.next() >> 11), -53);
}

}  // namespace

InjectedFaults::InjectedFaults(const Faults& faults, std::size_t ranks)
    : faults_(faults), has_fault_(ranks, false), slower_(ranks, 1.0) {
  for (const RankFault& fault : faults.ranks) {
    const auto rank = static_cast<std::size_t>(fault.rank);
    has_fault_[rank] = true;
    if (fault.kind == RankFault::Kind::slow) slower_[rank] *= fault.factor;
  }
}

// ---- messages ----

const MessageFault* InjectedFaults::fault_of(int source, int dest, std::int64_t nth) const {
  const auto found = std::ranges::find_if(faults_.messages, [&](const MessageFault& fault) {
    return fault.source == source && fault.dest == dest && fault.nth == nth;
  });
  return found == faults_.messages.end() ? nullptr : &*found;
}

MessageOutcome InjectedFaults::draw_outcome(int source, int dest, std::int64_t nth) const {
  if (const MessageFault* fault = fault_of(source, dest, nth))
    return fault->damaged ? MessageOutcome::is_damaged : MessageOutcome::is_lost;
  if (!faults_.unreliable) return MessageOutcome::arrives;
  const double drawn = drawn_share(faults_.unreliable->seed, source, dest, nth);
  if (drawn < faults_.unreliable->lost) return MessageOutcome::is_lost;
  return drawn < faults_.unreliable->lost + faults_.unreliable->damaged ? MessageOutcome::is_damaged : MessageOutcome::arrives;
}

MessageOutcome InjectedFaults::draw_outcome(const Message& message) {
  if (faults_.messages.empty() && !faults_.unreliable) return MessageOutcome::arrives;
  const std::int64_t nth = ++sent_[pair_key(message.source, message.dest)];
  const MessageOutcome outcome = draw_outcome(message.source, message.dest, nth);
  // A message of no bytes has none to damage.
  if (outcome == MessageOutcome::arrives || (outcome == MessageOutcome::is_damaged && message.payload.size() == 0))
    return MessageOutcome::arrives;
  injections_.emplace(message.number, Injection{nth, fault_of(message.source, message.dest, nth)});
  return outcome;
}

std::string InjectedFaults::injection_text(const Message& message) const {
  const Injection& injection = injections_.at(message.number);
  return fmt::format("message {} from rank {} to rank {}, fault {}", injection.nth, message.source, message.dest,
                     injection.fault != nullptr ? to_string(*injection.fault) : to_string(*faults_.unreliable));
}

void InjectedFaults::damage(Message& message) const {
  const Injection& injection = injections_.at(message.number);
  const std::span<std::byte> bytes = message.payload.in_flight();
  SplitMix64 drawn(message.number);
  const auto byte = injection.fault != nullptr && injection.fault->byte
                        ? static_cast<std::uint64_t>(*injection.fault->byte) % bytes.size()
                        : drawn.below(bytes.size());
  bytes[byte] ^= static_cast<std::byte>(1 + drawn.below(255));
}

void InjectedFaults::note_lost(const Message& message, std::string text) {
  lost_.push_back(std::move(text));
  lost_on_.push_back(message.key);
}

bool InjectedFaults::has_lost_on(const ChannelKey& channel) const {
  return std::ranges::find(lost_on_, channel) != lost_on_.end();
}

// ---- ranks ----

Time InjectedFaults::slowed(int rank, Time time) const {
  const double factor = slower_[static_cast<std::size_t>(rank)];
  return factor == 1 ? time : Time::from_seconds(time.seconds() * factor);
}

Time InjectedFaults::late(int rank) const {
  Time until;
  for (const RankFault& fault : faults_.ranks) {
    if (fault.rank == rank && fault.kind == RankFault::Kind::late) until = std::max(until, fault.at);
  }
  return until;
}

const RankFault* InjectedFaults::striking(int rank, std::int64_t call, Time now) const {
  for (const RankFault& fault : faults_.ranks) {
    if (fault.rank != rank || fault.kind == RankFault::Kind::late || fault.kind == RankFault::Kind::slow) continue;
    if (fault.call > 0 ? call >= fault.call : now >= fault.at) return &fault;
  }
  return nullptr;
}

// ---- what they came to ----

void InjectedFaults::report(const Fabric& fabric, const FaultyLinks* links, Report& report) const {
  const auto note = [&report](const std::string& fault, std::string why) {
    if (why.empty()) return;
    report.idle_faults.push_back(fault);
    report.idle_reasons.push_back(std::move(why));
  };
  if (links != nullptr) report_links(fabric.topology(), *links, report);
  for (const RankFault& fault : faults_.ranks) note(to_string(fault), why_idle(fault, fabric.settings()));
  for (const MessageFault& fault : faults_.messages) note(to_string(fault), why_idle(fault));
  if (faults_.unreliable) {
    std::int64_t sent = 0;
    for (const auto& [pair, messages] : sent_) sent += messages;
    note(to_string(*faults_.unreliable), fmt::format("it struck none of {} message{}", sent, sent == 1 ? "" : "s"));
  }
  if (report.switches_computed) return;
  for (const SwitchFault& fault : faults_.switches)
    note(to_string(fault, fabric.topology()), "no switch was asked to compute anything");
}

void InjectedFaults::report_links(const Topology& topology, const FaultyLinks& links, Report& report) const {
  for (const LinkFault& fault : faults_.links) {
    report.links[static_cast<std::size_t>(fault.link)].had = bandwidth_left(faults_.links, fault.link, report.completion);
    const std::string text = to_string(fault, topology);
    std::string why;
    if (fault.at >= report.completion && fault.at > Time())
      why = "the run was over before";
    else if (!fault.down && fault.slower == 1)
      why = "slow=1 is its own speed";
    else if (!links.has_met(fault.link))
      why = fault.at > Time() ? "no message crossed it from then on" : "no message crossed it";
    if (why.empty()) {
      if (links.has_gone_round(fault.link)) report.faults_gone_round.push_back(text);
      continue;
    }
    report.idle_faults.push_back(text);
    report.idle_reasons.push_back(std::move(why));
  }
}

/// Empty: it changed something. One that throws or stops would not have let the run end well.
std::string InjectedFaults::why_idle(const RankFault& fault, const FabricSettings& settings) const {
  switch (fault.kind) {
    case RankFault::Kind::late:
      return fault.at == Time() ? "late=0 is in time" : "";
    case RankFault::Kind::slow:
      if (fault.factor == 1) return "slow=1 is its own speed";
      return settings.alpha == Time() && settings.send_overhead == Time() && settings.recv_overhead == Time() &&
                     settings.gamma == 0
                 ? "alpha, the overheads and gamma are 0 here: a rank spends no time that could grow"
                 : "";
    case RankFault::Kind::throws:
    case RankFault::Kind::stops:
      break;
  }
  return fault.call > 0 ? fmt::format("rank {} made fewer than {} calls", fault.rank, fault.call)
                        : fmt::format("rank {} made no call from then on", fault.rank);
}

std::string InjectedFaults::why_idle(const MessageFault& fault) const {
  const auto sent = sent_.find(pair_key(fault.source, fault.dest));
  if (sent == sent_.end()) return fmt::format("rank {} sent rank {} no message", fault.source, fault.dest);
  if (sent->second < fault.nth)
    return fmt::format("rank {} sent rank {} {} message{}", fault.source, fault.dest, sent->second,
                       sent->second == 1 ? "" : "s");
  return "that message had no byte to damage";  // else it would have struck
}

void RankFaults::begin(TaskId id) {
  TaskState& task = run_.tasks[id];
  const Time now = run_.engine.now();
  if (const Time late = run_.injected->late(task.rank); late > now) host_.work(id, late - now, PendingWork::Kind::idle);
  task.counts_calls = true;
}

void RankFaults::count(TaskId id, const char* call) {
  TaskState& task = run_.tasks[id];
  if (!task.counts_calls) return;
  const Time now = run_.engine.now();
  const RankFault* fault = run_.injected->striking(task.rank, ++task.calls, now);
  if (fault == nullptr) return;
  if (fault->kind == RankFault::Kind::throws) throw Error(injection_text(task.calls, call, *fault));
  task.stopped_by = fault;
  task.stopped_in = call;
  task.stopped_at = now;
  run_.failure.expect();
  while (true) host_.block(id, TaskState::Blocked::stopped);  // until the run is given up
}

std::string injection_text(std::int64_t call, const char* name, const RankFault& fault) {
  return fmt::format("call {}, {}(), fault {}", call, name, to_string(fault));
}

}  // namespace heddle::emu
