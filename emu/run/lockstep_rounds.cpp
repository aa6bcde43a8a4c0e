// SPDX-License-Identifier: Apache-2.0
#include "emu/run/lockstep_rounds.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <bit>

#include "emu/run/message_flow.hpp"

namespace heddle::emu {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

Datatype type_of(std::span<const VectorView> pieces) { return pieces.front().type(); }
Datatype type_of(std::span<const ConstVectorView> pieces) { return pieces.front().type(); }

}  // namespace

bool LockstepRounds::can_wait(TaskId id) const {
  const TaskState& task = run_.tasks[id];
  return task.steps != nullptr && task.steps->is_looked_up() && task.operations.empty() && !task.open.has_any() &&
         !task.shares_messages && task.special == nullptr;
}

bool LockstepRounds::take(std::span<const TaskId> tasks, std::span<const Time> times) {
  if (!gather(tasks, times) || !make_round()) return false;
  while (look_up_next() && !run_.engine.asks_to_stop() && make_round()) {
  }
  let_go_on(tasks);
  return true;
}

/// False: tasks that do not belong together.
bool LockstepRounds::gather(std::span<const TaskId> tasks, std::span<const Time> times) {
  parties_.clear();
  first_slot_.clear();
  party_in_.clear();
  moments_.clear();
  second_call_ = run_.tasks[tasks.front()].second_call;
  round_ = run_.tasks[tasks.front()].round;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    TaskState& state = run_.tasks[tasks[i]];
    if (state.second_call != second_call_ || (state.round != round_ && !second_call_)) return false;
    const Endpoint& endpoint = state.steps->endpoint();
    if (endpoint.context >= first_slot_.size()) first_slot_.resize(endpoint.context + std::size_t{1}, kNone);
    std::uint32_t& first = first_slot_[endpoint.context];
    if (first == kNone) {
      first = static_cast<std::uint32_t>(party_in_.size());
      party_in_.resize(party_in_.size() + static_cast<std::size_t>(endpoint.size()), kNone);
    }
    std::uint32_t& party = party_in_[first + static_cast<std::uint32_t>(endpoint.rank)];
    if (party != kNone) return false;
    party = static_cast<std::uint32_t>(i);
    parties_.emplace_back(state.steps, &state, first);
    moments_.push_back({times[i], state.contention_free, state.path});
  }
  return true;
}

/// False: nothing has happened.
bool LockstepRounds::make_round() {
  ++rounds_looked_at_;
  if (getenv("DBG")) fprintf(stderr,"look %d second %d n %zu\n",round_,second_call_,parties_.size());
  if (!pair() || !is_apart()) return false;
  if (!second_call_) {
    const Crossings* const crossings = network_.crossings_of(sendings_);
    if (crossings == nullptr || !pass_time(*crossings)) return false;
    network_.note_crossed(round_ + 1);
  }
  ++round_;
  for (const Party& party : parties_) {
    run_.recorder.count_carried(party.steps->endpoint().context, 0);
    party.steps->receive_from(sender_of(party));
  }
  return true;
}

/// Each task receives what the one that it names sends to it. False: some do not.
bool LockstepRounds::pair() {
  sendings_.clear();
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    Party& party = parties_[i];
    const ExchangeSteps& steps = *party.steps;
    const Endpoint& endpoint = steps.endpoint();
    const Exchange& step = steps.step();
    if (steps.given() == 0 || steps.gotten() == 0) return false;
    if (step.source != party.source || step.dest != party.dest) {
      const auto is_rank = [&](Rank rank) { return rank.value() >= 0 && rank.value() < endpoint.size(); };
      if (!is_rank(step.source) || !is_rank(step.dest)) return false;
      party.source = step.source;
      party.dest = step.dest;
      party.sender = party_in_[party.first_slot + static_cast<std::uint32_t>(step.source.value())];
      party.world_dest = endpoint.group->members[static_cast<std::size_t>(step.dest.value())];
    }
    if (party.sender == kNone || party.sender == i) return false;
    const ExchangeSteps& sender = sender_of(party);
    if (sender.step().dest.value() != endpoint.rank || sender.given() != steps.gotten() ||
        type_of(sender.step().data) != type_of(step.into))
      return false;
    const auto bytes = static_cast<std::size_t>(steps.given()) * type_of(step.data).size();
    sendings_.push_back({.message = static_cast<MessageId>(i),
                         .from = placement_[static_cast<std::size_t>(party.state->rank)],
                         .to = placement_[static_cast<std::size_t>(party.world_dest)],
                         .bytes = run_.costs.wire_bytes(bytes),
                         .round = round_ + 1});
  }
  return true;
}

/// Nobody receives into memory that he, or another task, uses in this round. Branches of one rank are compared in every round; of
/// ranks, which have memory of their own but for a mistake, that is done in the first rounds, then ever more rarely.
bool LockstepRounds::is_apart() {
  constexpr std::uint64_t kFirst = 64;
  for (const Party& party : parties_) {
    if (!party.steps->is_in_order()) return false;
  }
  for (std::size_t first = 0, end = 0; first < parties_.size(); first = end) {
    while (end < parties_.size() && parties_[end].state->rank == parties_[first].state->rank) ++end;
    if (!branches_are_apart(first, end)) return false;
  }
  if (rounds_looked_at_ > kFirst && !std::has_single_bit(rounds_looked_at_)) return true;
  memory_.clear();
  const auto add = [&](const AddressRange& range, std::uint32_t party, bool is_read) {
    memory_.push_back({range.begin, range.end, party, is_read});
  };
  for (std::uint32_t i = 0; i < parties_.size(); ++i) {
    add(range_of(parties_[i].steps->step().into), i, false);
    add(range_of(parties_[i].steps->step().data), i, true);
  }
  if (!find_overlap(memory_)) return true;
  memory_.clear();
  for (std::uint32_t i = 0; i < parties_.size(); ++i) {
    add_memory(memory_, parties_[i].steps->step().into, i, false);
    add_memory(memory_, parties_[i].steps->step().data, i, true);
  }
  return !find_overlap(memory_);
}

/// Those from `first` on, of one rank.
bool LockstepRounds::branches_are_apart(std::size_t first, std::size_t end) const {
  for (std::size_t i = first; i < end; ++i) {
    const Exchange& a = parties_[i].steps->step();
    const AddressRange into = range_of(a.into);
    for (std::size_t j = first; j < end; ++j) {
      if (i == j) continue;
      const Exchange& b = parties_[j].steps->step();
      if (into.meets(range_of(b.data)) && share_memory(a.into, b.data)) return false;
      if (i < j && into.meets(range_of(b.into)) && share_memory(a.into, b.into)) return false;
    }
  }
  return true;
}

/// When, and by which path, each task goes on: when its message has arrived and its own has drained. False: this is no such round.
bool LockstepRounds::pass_time(const Crossings& crossings) {
  if (getenv("DBG")) { auto [f,l]=std::ranges::minmax(moments_, {}, &Moment::time); fprintf(stderr,"round %d n %zu meet %d alike %d first %ld last %ld d %ld a %ld\n",round_,moments_.size(),crossings.meet,crossings.drain_alike,f.time.ps(),l.time.ps(),crossings.of[0].drained.ps(),crossings.of[0].arrived.ps()); }
  const Time alpha = run_.costs.alpha();
  const auto [first, last] = std::ranges::minmax(moments_, {}, &Moment::time);
  if (first.time != last.time && crossings.meet) return false;
  if (last.time > kLatestTime) return false;
  next_.resize(moments_.size());
  Time all_drained;
  Time first_goes_on = Time::max();
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    const std::uint32_t from = parties_[i].sender;
    const Crossing& own = crossings.of[i];
    const Crossing& its = crossings.of[from];
    const Time drained = moments_[i].time + alpha + own.drained;
    const Time arrived = moments_[from].time + alpha + its.arrived;
    // Of two events at one time, the arrival was known first: where all take the same to drain, since what arrives has drained before.
    if (drained == arrived && !crossings.drain_alike) {if(getenv("DBG")) fprintf(stderr,"tie\n"); return false;}
    const bool arrives_last = arrived > drained;
    const std::uint32_t of = arrives_last ? from : static_cast<std::uint32_t>(i);
    const Crossing& crossing = crossings.of[of];
    Moment& next = next_[i];
    next.time = std::max(drained, arrived);
    next.contention_free = std::max(moments_[i].contention_free + alpha + own.alone_drained,
                                    moments_[from].contention_free + alpha + its.alone_arrived);
    CriticalPath path = moments_[of].path;
    path.parts.startup += alpha;
    path.bytes += sendings_[of].bytes;
    path.last_record = CriticalPath::kNoRecord;
    ++path.messages;
    const Time spent = arrives_last ? crossing.arrived - crossing.latency : crossing.drained;
    Cause cause = drained_after(path, Time(), spent, crossing.alone_drained);
    if (arrives_last) cause.propagation = crossing.latency;
    next.path = cause.path();
    all_drained = std::max(all_drained, drained);
    first_goes_on = std::min(first_goes_on, next.time);
  }
  if (all_drained > first_goes_on) { if(getenv("DBG")) fprintf(stderr,"not quiet\n"); return false; }
  moments_.swap(next_);
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    Party& party = parties_[i];
    run_.recorder.count_crossing(party.world_dest, sendings_[i].bytes, round_ + 1, *party.state);
    party.received += Bytes(sendings_[party.sender].bytes);
  }
  return true;
}

/// False: a plan is at its end.
bool LockstepRounds::look_up_next() {
  bool all_go_on = true;
  for (const Party& party : parties_) {
    if (!party.steps->look_up()) all_go_on = false;
  }
  return all_go_on;
}

void LockstepRounds::let_go_on(std::span<const TaskId> tasks) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    TaskState& task = *parties_[i].state;
    task.round = round_;
    task.contention_free = moments_[i].contention_free;
    task.path = moments_[i].path;
    task.received += parties_[i].received;
    run_.engine.go_on(tasks[i], moments_[i].time);
  }
}

}  // namespace heddle::emu
