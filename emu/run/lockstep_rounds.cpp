// SPDX-License-Identifier: Apache-2.0
#include "emu/run/lockstep_rounds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emu/run/message_flow.hpp"

namespace heddle::emu {

bool LockstepRounds::can_wait(TaskId id) const {
  const TaskState& task = run_.tasks[id];
  return task.steps != nullptr && task.steps->is_looked_up() && task.operations.empty() && !task.open.has_any() &&
         !task.shares_messages && task.special == nullptr;
}

bool LockstepRounds::take(std::span<const TaskId> tasks, std::span<const Time> times) {
  if (is_skipped() || !gather(tasks, times) || !make_round()) return false;
  failed_ = to_skip_ = 0;
  while (look_up_next() && !run_.engine.asks_to_stop() && make_round()) {
  }
  let_go_on(tasks);
  return true;
}

/// Where it has failed again and again, as without a network that knows crossings, it is tried ever more rarely.
bool LockstepRounds::is_skipped() {
  constexpr int kMostDoublings = 10;
  if (to_skip_ > 0) {
    --to_skip_;
    return true;
  }
  to_skip_ = (1 << std::min(failed_++, kMostDoublings)) - 1;
  return false;
}

/// False: tasks that do not belong together.
bool LockstepRounds::gather(std::span<const TaskId> tasks, std::span<const Time> times) {
  parties_.clear();
  first_slot_.clear();
  party_in_.clear();
  moments_.clear();
  parties_.reserve(tasks.size());
  moments_.reserve(tasks.size());
  sendings_.reserve(tasks.size());
  memory_.reserve(2 * tasks.size());
  kept_.reserve(tasks.size());
  second_call_ = run_.tasks[tasks.front()].second_call;
  round_ = run_.tasks[tasks.front()].round;
  rounds_made_ = 0;
  have_branches_ = false;
  are_in_order_ = true;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i + 2 * kPartiesAhead < tasks.size()) run_.tasks[tasks[i + 2 * kPartiesAhead]].prefetch();
    if (i + kPartiesAhead < tasks.size())
      emu::prefetch(run_.tasks[tasks[i + kPartiesAhead]].steps, sizeof(ExchangeSteps) + sizeof(OneExchange));
    const TaskState& state = run_.tasks[tasks[i]];
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
    have_branches_ = have_branches_ || (i > 0 && state.rank == parties_.back().world_rank);
    parties_.push_back(Party(state.steps, endpoint.rank, state.rank, first));
    take_step(parties_.back());
    moments_.push_back({times[i], state.contention_free, state.path});
  }
  return true;
}

/// What a task has looked up, while it is at hand.
void LockstepRounds::take_step(Party& party) {
  const ExchangeSteps& steps = *party.steps;
  const Exchange& step = steps.step();
  if (steps.given() == 0 || steps.gotten() == 0 || !steps.is_in_order()) {
    are_in_order_ = false;
    return;
  }
  const Endpoint& endpoint = steps.endpoint();
  if (step.source != party.source || step.dest != party.dest) {
    const auto is_rank = [&](Rank rank) { return rank.value() >= 0 && rank.value() < endpoint.size(); };
    if (!is_rank(step.source) || !is_rank(step.dest)) {
      are_in_order_ = false;
      return;
    }
    party.source = step.source;
    party.dest = step.dest;
    party.sender = kNone;
    party.world_dest = endpoint.group->members[static_cast<std::size_t>(step.dest.value())];
  }
  party.is_plain = step.into.size() == 1 && step.data.size() == 1 && !steps.is_only_step();
  party.into = range_of(step.into);
  party.data = range_of(step.data);
  party.combines_late = steps.combines_late();
  party.sends_sums = party.combines_late && step.into.size() == 1 && step.data.size() == 1 &&
                     party.into.begin == party.data.begin && party.into.end == party.data.end;
  party.given_type = step.data.front().type();
  party.gotten_type = step.into.front().type();
  party.gotten = steps.gotten();
  party.given = steps.given();
  const std::size_t bytes = static_cast<std::size_t>(party.given) * party.given_type.size();
  if (bytes == party.bytes) return;
  party.bytes = bytes;
  party.wire_bytes = run_.costs.wire_bytes(bytes);
}

/// False: nothing has happened.
bool LockstepRounds::make_round() {
  ++rounds_looked_at_;
  if (!are_in_order_ || !pair() || !is_apart()) return false;
  if (!second_call_) {
    const Crossings* const crossings = network_.crossings_of(sendings_);
    if (crossings == nullptr || !pass_time(*crossings)) return false;
    network_.note_crossed(round_ + 1);
    count();
  }
  ++round_;
  ++rounds_made_;
  ++made_;
  deliver();
  return true;
}

/// Each task receives what the one that it names sends to it. False: some do not.
bool LockstepRounds::pair() {
  sendings_.clear();
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    Party& party = parties_[i];
    if (party.sender == kNone) {
      party.sender = party_in_[party.first_slot + static_cast<std::uint32_t>(party.source.value())];
      if (party.sender == kNone) return false;
    }
    const Party& sender = parties_[party.sender];
    if (sender.dest.value() != party.rank || sender.given != party.gotten || sender.given_type != party.gotten_type ||
        party.world_dest == party.world_rank)
      return false;
    sendings_.push_back({.message = static_cast<MessageId>(i),
                         .from = placement_[static_cast<std::size_t>(party.world_rank)],
                         .to = placement_[static_cast<std::size_t>(party.world_dest)],
                         .bytes = party.wire_bytes,
                         .round = round_ + 1});
  }
  return true;
}

/// Nobody receives into memory that another task uses in this round. Branches of one rank are compared in every round; of ranks, which
/// have memory of their own but for a mistake, that is done in the first rounds, then ever more rarely.
bool LockstepRounds::is_apart() {
  constexpr std::uint64_t kFirst = 4;
  for (std::size_t first = 0, end = 0; have_branches_ && first < parties_.size(); first = end) {
    while (end < parties_.size() && parties_[end].world_rank == parties_[first].world_rank) ++end;
    if (!branches_are_apart(first, end)) return false;
  }
  if (rounds_looked_at_ > kFirst && !std::has_single_bit(rounds_looked_at_)) return true;
  memory_.clear();
  for (std::uint32_t i = 0; i < parties_.size(); ++i) {
    memory_.push_back({parties_[i].into.begin, parties_[i].into.end, i, false});
    if (!parties_[i].sends_sums) memory_.push_back({parties_[i].data.begin, parties_[i].data.end, i, true});
  }
  if (!find_overlap(memory_)) return true;
  memory_.clear();
  for (std::uint32_t i = 0; i < parties_.size(); ++i) {
    add_memory(memory_, parties_[i].steps->step().into, i, false);
    if (!parties_[i].sends_sums) add_memory(memory_, parties_[i].steps->step().data, i, true);
  }
  return !find_overlap(memory_);
}

/// Those from `first` on, of one rank.
bool LockstepRounds::branches_are_apart(std::size_t first, std::size_t end) const {
  for (std::size_t i = first; i < end; ++i) {
    const Party& a = parties_[i];
    for (std::size_t j = first; j < end; ++j) {
      const Party& b = parties_[j];
      if (i != j && a.into.meets(b.data) && share_memory(a.steps->step().into, b.steps->step().data)) return false;
      if (i < j && a.into.meets(b.into) && share_memory(a.steps->step().into, b.steps->step().into)) return false;
    }
  }
  return true;
}

/// When, and by which path, each task goes on: when its message has arrived and its own has drained. False: this is no such round.
bool LockstepRounds::pass_time(const Crossings& crossings) {
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
    if (drained == arrived && !crossings.drain_alike) return false;
    const bool arrives_last = arrived > drained;
    const std::uint32_t of = arrives_last ? from : static_cast<std::uint32_t>(i);
    const Crossing& crossing = crossings.of[of];
    Moment& next = next_[i];
    next.time = std::max(drained, arrived);
    next.contention_free = std::max(moments_[i].contention_free + alpha + own.alone_drained,
                                    moments_[from].contention_free + alpha + its.alone_arrived);
    CriticalPath path = moments_[of].path;
    path.parts.startup += alpha;
    path.bytes += parties_[of].wire_bytes;
    path.last_record = CriticalPath::kNoRecord;
    ++path.messages;
    const Time spent = arrives_last ? crossing.arrived - crossing.latency : crossing.drained;
    Cause cause = drained_after(path, Time(), spent, crossing.alone_drained);
    if (arrives_last) cause.propagation = crossing.latency;
    next.path = cause.path();
    all_drained = std::max(all_drained, drained);
    first_goes_on = std::min(first_goes_on, next.time);
  }
  if (all_drained > first_goes_on) return false;
  moments_.swap(next_);
  return true;
}

/// What has crossed the network.
void LockstepRounds::count() {
  RoundSum sum;
  for (Party& party : parties_) {
    sum.add(party.world_rank, party.world_dest, party.wire_bytes, round_ + 1);
    ++party.messages;
    party.sent += Bytes(party.wire_bytes);
    party.received += Bytes(parties_[party.sender].wire_bytes);
  }
  run_.recorder.count(sum, round_ + 1);
}

void LockstepRounds::deliver() {
  static constexpr std::size_t kLongest = 512;  // beyond, the processor fetches ahead by itself
  const auto fetch = [](const AddressRange& range) {
    emu::prefetch(range.begin, std::min(static_cast<std::size_t>(range.end - range.begin), kLongest));
  };
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    if (i + kPartiesAhead < parties_.size()) {
      fetch(parties_[i + kPartiesAhead].into);
      fetch(parties_[parties_[i + kPartiesAhead].sender].data);
    }
    const Party& party = parties_[i];
    const Party& sender = parties_[party.sender];
    if (party.combines_late) {
      if (!are_swapped(i)) {
        party.steps->keep(*sender.steps);
        kept_.push_back(static_cast<std::uint32_t>(i));
      } else if (i < party.sender) {
        party.steps->swap_sums(*sender.steps, aside_);
      }
    } else if (party.is_plain && sender.is_plain && !party.steps->reduces()) {
      std::memcpy(const_cast<std::byte*>(party.into.begin), sender.data.begin,
                  static_cast<std::size_t>(sender.data.end - sender.data.begin));
    } else {
      party.steps->receive_from(*sender.steps);
    }
  }
  for (const std::uint32_t i : kept_) parties_[i].steps->combine_kept();
  kept_.clear();
}

/// Whether it and its sender give each other the sums that they add to: nobody else has to do with these.
bool LockstepRounds::are_swapped(std::size_t party) const {
  const Party& own = parties_[party];
  const Party& other = parties_[own.sender];
  return other.sender == party && own.sends_sums && other.sends_sums;
}

/// False: a plan is at its end.
bool LockstepRounds::look_up_next() {
  bool all_go_on = true;
  are_in_order_ = true;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    if (i + kPartiesAhead < parties_.size()) emu::prefetch(parties_[i + kPartiesAhead].steps, sizeof(ExchangeSteps));
    if (parties_[i].steps->look_up())
      take_step(parties_[i]);
    else
      all_go_on = false;
  }
  return all_go_on;
}

void LockstepRounds::let_go_on(std::span<const TaskId> tasks) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i + kPartiesAhead < tasks.size()) run_.tasks[tasks[i + kPartiesAhead]].prefetch();
    const Party& party = parties_[i];
    TaskState& task = run_.tasks[tasks[i]];
    run_.recorder.count_carried(party.steps->endpoint().context, 0, rounds_made_);
    task.round = round_;
    task.contention_free = moments_[i].contention_free;
    task.path = moments_[i].path;
    task.messages_sent += party.messages;
    task.sent += party.sent;
    task.received += party.received;
    run_.engine.go_on(tasks[i], moments_[i].time);
  }
}

}  // namespace heddle::emu
