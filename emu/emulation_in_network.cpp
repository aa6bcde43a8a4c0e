// SPDX-License-Identifier: Apache-2.0
// Operations of the switches: posted by each rank, started when the last has posted, streamed, done.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "emu/emulation.hpp"
#include "emu/gathered_call.hpp"
#include "emu/in_network_call.hpp"
#include "emu/in_network_plan.hpp"
#include "emu/message_observer.hpp"

namespace heddle::emu {

Emulation::InNetworkCall& Emulation::call_of(StrandId id, const InNetworkPost& post) {
  const std::size_t ranks = post.group->members.size();
  const auto [place, is_new] = in_network_gathering_.try_emplace({post.context, post.call}, 0);
  if (is_new) {
    if (free_in_network_calls_.empty()) {
      free_in_network_calls_.push_back(static_cast<std::uint32_t>(in_network_calls_.size()));
      in_network_calls_.emplace_back();
    }
    place->second = free_in_network_calls_.back();
    free_in_network_calls_.pop_back();
    auto call = std::make_shared<InNetworkCall>();
    call->group = post.group;
    call->collective = post.collective;
    call->arguments.resize(ranks);
    call->strands.resize(ranks);
    call->first = post.rank;
    in_network_calls_[place->second] = std::move(call);
  }
  strands_[id].in_network_call = place->second;
  return *in_network_calls_[place->second];
}

void Emulation::effect(StrandId id, InNetworkPost& post) {
  InNetworkCall& call = call_of(id, post);
  if (!agrees(call, post)) return;
  const StrandState& strand = strands_[id];
  call.arguments[static_cast<std::size_t>(post.rank)] = post.arguments;
  call.strands[static_cast<std::size_t>(post.rank)] = id;
  const bool rehearsal = in_rehearsal(strand.rank);
  call.rehearsal = call.rehearsal && rehearsal;
  call.round = std::max(call.round, strand.round + 1);
  call.last = post.rank;
  Time ready = engine_->now();
  CriticalPath path = strand.path;
  Time contention_free = strand.contention_free;
  if (const Time overhead = slowed(strand.rank, settings_of_fabric_.send_overhead); !rehearsal && overhead > Time()) {
    RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
    const Time started = std::max(ready, rank.busy_until);
    path.parts.waiting += started - ready;
    path.parts.startup += overhead;
    ready = rank.busy_until = started + overhead;
    contention_free = std::max(contention_free, rank.contention_free_busy_until) + overhead;
    rank.contention_free_busy_until = contention_free;
  }
  if (ready >= call.ready) {
    call.ready = ready;
    call.path = path;
  }
  call.contention_free = std::max(call.contention_free, contention_free);
  if (++call.posted < call.arguments.size()) return;
  in_network_gathering_.erase({post.context, post.call});
  start_in_network(strand.in_network_call);
}

bool Emulation::agrees(const InNetworkCall& call, const InNetworkPost& post) {
  if (call.posted == 0) return true;
  const CollectiveArguments& first = *call.arguments[static_cast<std::size_t>(call.first)];
  if (call.collective == post.collective && is_same_call(post.collective, first, *post.arguments)) return true;
  const std::vector<int>& members = call.group->members;
  fail(CheckError::Kind::usage,
       fmt::format("rank {} calls an in-network {} where rank {} calls an in-network {}: all ranks must ask for the same",
                   members[static_cast<std::size_t>(post.rank)], call_text(post.collective, *post.arguments),
                   members[static_cast<std::size_t>(call.first)], call_text(call.collective, first)));
  return false;
}

void Emulation::start_in_network(std::uint32_t id) {
  InNetworkCall& call = *in_network_calls_[id];
  if (const std::string fault = mismatch(call.collective, call.arguments); !fault.empty())
    return fail(CheckError::Kind::usage, fmt::format("in-network {}: {}", to_string(call.collective), fault));
  const InNetworkDomain& domain = *call.group->in_network;
  const Datatype type = type_of(call.collective, *call.arguments[0]);
  const std::optional<Datatype> precision = domain.precision(call.collective, type);
  call.plan =
      plan_in_network(domain, call.collective, sizes_of(call.collective, call.arguments), precision.value_or(type).size());
  if (precision) switch_precision_ = precision;
  if (settings_.observer != nullptr) tell_observer(call, true);
  move_data(call.collective, domain.tree(call.collective), precision, call.arguments);
  if (settings_.observer != nullptr) tell_observer(call, false);
  // A rank that is alone needs no switch; a vector of no bytes takes no time.
  const bool is_idle = call.arguments.size() == 1 ||
                       std::all_of(call.plan.ranks.begin(), call.plan.ranks.end(),
                                   [](const InNetworkDomain::Flow& flow) { return flow.up == 0 && flow.down == 0; });
  if (!is_idle) {
    for (const StrandId strand : call.strands) strands_[strand].round = call.round;
  }
  if (call.rehearsal || is_idle) {
    std::fill(call.plan.latency.begin(), call.plan.latency.end(), Time());
    call.path = strands_[call.strands[static_cast<std::size_t>(call.last)]].path;
    call.entered = engine_->now();
    return streamed(id, Time());
  }
  switches_computed_ = true;
  count(call);
  call.entered = call.ready + settings_of_fabric_.alpha;
  call.contention_free += settings_of_fabric_.alpha;
  call.path.parts.startup += settings_of_fabric_.alpha;
  call.path.bytes += std::llround(call.plan.bytes * settings_.payload_scale);
  ++call.path.messages;
  if (settings_.timeline != nullptr) record_started(call);
  if (call.entered == engine_->now())
    enter_network(call, id);
  else
    ring_at(call.entered, Ring::stream, id);
}

/// What the ranks have given to the switches, or what they have got: a message each.
void Emulation::tell_observer(const InNetworkCall& call, bool given) {
  for (std::size_t r = 0; r < call.arguments.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const VectorView got = given ? VectorView() : got_by(call.collective, *call.arguments[r], rank);
    const ConstVectorView data = given ? given_by(call.collective, *call.arguments[r], rank) : ConstVectorView(got);
    if (data.empty()) continue;
    const int member = call.group->members[r];
    const auto number = static_cast<std::uint64_t>(messages_carried_++);
    settings_.observer->posted({.number = number,
                                .source = given ? member : PostedMessage::kSwitches,
                                .dest = given ? PostedMessage::kSwitches : member,
                                .tag = {},
                                .round = call.round,
                                .rehearsal = call.rehearsal,
                                .time = engine_->now(),
                                .data = data,
                                .from = given ? std::span(&data, 1) : std::span<const ConstVectorView>()});
    settings_.observer->received(number, call.rehearsal, engine_->now(),
                                 given ? std::span<const VectorView>() : std::span(&got, 1));
  }
}

/// What goes up from a rank, it has sent, in one message.
void Emulation::count(const InNetworkCall& call) {
  const auto round = static_cast<std::size_t>(call.round);
  if (round > rounds_.size()) rounds_.resize(round);
  for (std::size_t r = 0; r < call.plan.ranks.size(); ++r) {
    const InNetworkDomain::Flow& flow = call.plan.ranks[r];
    RankReport& report = ranks_[static_cast<std::size_t>(call.group->members[r])].report;
    const Bytes sent(wire_bytes(static_cast<std::size_t>(flow.up)));
    report.received += Bytes(wire_bytes(static_cast<std::size_t>(flow.down)));
    if (sent == Bytes()) continue;
    ++messages_carried_;
    ++report.messages;
    report.sent += sent;
    ++rounds_[round - 1].messages;
    rounds_[round - 1].bytes += sent;
  }
}

void Emulation::enter_network(const InNetworkCall& call, std::uint32_t id) {
  std::vector<StreamLink> links;
  links.reserve(call.plan.loads.size());
  for (const InNetworkDomain::Load& load : call.plan.loads)
    links.push_back({load.link, load.bytes / call.plan.bytes, load.counts});
  network_->stream({.stream = id,
                    .links = links,
                    .bytes = call.plan.bytes * settings_.payload_scale,
                    .round = call.round,
                    .record = call.record});
}

void Emulation::streamed(StreamId id, Time full_rate) {
  const std::shared_ptr<InNetworkCall> call = std::move(in_network_calls_[id]);
  free_in_network_calls_.push_back(id);
  if (settings_.timeline != nullptr) record_streamed(*call, full_rate);
  for (std::size_t r = 0; r < call->strands.size(); ++r) {
    const Time latency = call->plan.latency[r];
    StrandState& strand = strands_[call->strands[r]];
    Cause cause = drained_after(call->path, call->entered, engine_->now(), full_rate);
    cause.propagation = latency;
    strand.path = cause.path();
    strand.contention_free = call->contention_free + full_rate + latency;
    if (latency == Time())
      resume(call->strands[r]);
    else
      ring_at(engine_->now() + latency, Ring::wake, call->strands[r]);
  }
}

bool Emulation::switches_wait_for(const StrandState& strand, int rank) const {
  // What it has asked for may not have taken effect yet: then it has no call.
  if (!strand.posts.empty()) {
    const auto* post = std::get_if<std::unique_ptr<InNetworkPost>>(&strand.posts.back());
    return post != nullptr && std::ranges::find((*post)->group->members, rank) != (*post)->group->members.end();
  }
  const InNetworkCall* call = in_network_calls_[strand.in_network_call].get();
  if (call == nullptr) return false;  // it streams
  for (std::size_t r = 0; r < call->arguments.size(); ++r) {
    if (call->group->members[r] == rank) return call->arguments[r] == nullptr;
  }
  return false;
}

std::string Emulation::describe_wait(const StrandState& strand, int& peer) const {
  constexpr std::size_t kMostNamed = 8;
  const InNetworkCall& call = *in_network_calls_[strand.in_network_call];
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
