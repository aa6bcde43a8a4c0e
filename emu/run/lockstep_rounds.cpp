// SPDX-License-Identifier: Apache-2.0
#include "emu/run/lockstep_rounds.hpp"

#include <algorithm>
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

bool LockstepRounds::take(std::span<const TaskId> tasks) {
  if (!gather(tasks)) return false;
  for (;;) {
    if (!make_round()) return false;
    if (look_up_next() && !run_.engine.asks_to_stop()) continue;
    wake(tasks);
    return true;
  }
}

/// False: one rank of a communicator has two tasks.
bool LockstepRounds::gather(std::span<const TaskId> tasks) {
  parties_.clear();
  first_slot_.clear();
  party_in_.clear();
  for (const TaskId id : tasks) {
    TaskState& state = run_.tasks[id];
    const Endpoint& endpoint = state.steps->endpoint();
    if (endpoint.context >= first_slot_.size()) first_slot_.resize(endpoint.context + std::size_t{1}, kNone);
    std::uint32_t& first = first_slot_[endpoint.context];
    if (first == kNone) {
      first = static_cast<std::uint32_t>(party_in_.size());
      party_in_.resize(party_in_.size() + static_cast<std::size_t>(endpoint.size()), kNone);
    }
    std::uint32_t& party = party_in_[first + static_cast<std::uint32_t>(endpoint.rank)];
    if (party != kNone) return false;
    party = static_cast<std::uint32_t>(parties_.size());
    parties_.push_back({state.steps, &state});
  }
  return true;
}

/// False: nothing has happened.
bool LockstepRounds::make_round() {
  ++rounds_looked_at_;
  if (!pair() || !is_apart()) return false;
  if (!parties_.front().state->second_call) {
    const auto crossing = network_.cross_together(sendings_, run_.engine.now() + run_.costs.alpha());
    if (!crossing) return false;
    pass_time(*crossing);
  } else {
    for (const Party& party : parties_) {
      run_.recorder.count_carried(party.steps->endpoint().context, 0);
      ++party.state->round;
    }
  }
  for (const Party& party : parties_) party.steps->receive_from(sender_of(party));
  return true;
}

/// Each task receives what the one that it names sends to it. False: some do not.
bool LockstepRounds::pair() {
  sendings_.clear();
  const bool second_call = parties_.front().state->second_call;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    Party& party = parties_[i];
    const ExchangeSteps& steps = *party.steps;
    const Endpoint& endpoint = steps.endpoint();
    const Exchange& step = steps.step();
    const auto is_rank = [&](Rank rank) { return rank.value() >= 0 && rank.value() < endpoint.size(); };
    if (steps.given() == 0 || steps.gotten() == 0 || !is_rank(step.source) || !is_rank(step.dest)) return false;
    party.sender = party_in_[first_slot_[endpoint.context] + static_cast<std::uint32_t>(step.source.value())];
    if (party.sender == kNone || party.sender == i || party.state->second_call != second_call) return false;
    const ExchangeSteps& sender = sender_of(party);
    if (sender.step().dest.value() != endpoint.rank || sender.given() != steps.gotten() ||
        type_of(sender.step().data) != type_of(step.into))
      return false;
    const int dest = endpoint.group->members[static_cast<std::size_t>(step.dest.value())];
    const auto bytes = static_cast<std::size_t>(steps.given()) * type_of(step.data).size();
    sendings_.push_back({.message = static_cast<MessageId>(i),
                         .from = placement_[static_cast<std::size_t>(party.state->rank)],
                         .to = placement_[static_cast<std::size_t>(dest)],
                         .bytes = run_.costs.wire_bytes(bytes),
                         .round = party.state->round + 1});
    if (sendings_.back().round != sendings_.front().round) return false;
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

/// Each task wakes because its message has arrived, later than its own send was complete.
void LockstepRounds::pass_time(const Crossing& crossing) {
  const Time entered = run_.engine.now() + run_.costs.alpha();
  before_.clear();
  for (const Party& party : parties_)
    before_.push_back({party.state->path, party.state->contention_free, party.state->round});
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    const Party& party = parties_[i];
    TaskState& task = *party.state;
    const Endpoint& endpoint = party.steps->endpoint();
    const int dest = endpoint.group->members[static_cast<std::size_t>(party.steps->step().dest.value())];
    run_.recorder.count_carried(endpoint.context, 0);
    run_.recorder.count_crossing(dest, sendings_[i].bytes, sendings_[i].round, task);
    const Before& sender = before_[party.sender];
    CriticalPath path = sender.path;
    path.parts.startup += run_.costs.alpha();
    path.bytes += sendings_[party.sender].bytes;
    path.last_record = CriticalPath::kNoRecord;
    ++path.messages;
    Cause cause = drained_after(path, entered, entered + crossing.drained, crossing.alone_drained);
    cause.propagation = crossing.latency;
    task.path = cause.path();
    const Time sent = task.contention_free + run_.costs.alpha() + crossing.alone_drained;
    const Time received = sender.contention_free + run_.costs.alpha() + crossing.alone_arrived;
    task.contention_free = std::max({task.contention_free, sent, received});
    task.round = std::max(task.round, sender.round) + 1;
    task.received += Bytes(sendings_[party.sender].bytes);
  }
  run_.engine.skip_to(entered + crossing.drained + crossing.latency);
}

/// False: a plan is at its end.
bool LockstepRounds::look_up_next() {
  bool all_go_on = true;
  for (const Party& party : parties_) {
    if (!party.steps->look_up()) all_go_on = false;
  }
  return all_go_on;
}

void LockstepRounds::wake(std::span<const TaskId> tasks) {
  for (const TaskId task : tasks) run_.wakes.resume(task);
}

}  // namespace heddle::emu
