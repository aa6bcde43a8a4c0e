// SPDX-License-Identifier: Apache-2.0
#include "emu/emulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "emu/emulated_communicator.hpp"

namespace heddle::emu {

namespace {

std::unique_ptr<Engine> make_engine(const EmulationSettings& settings) {
  auto strands = settings.threads == Threads::user ? make_user_strands(settings.stack_bytes) : make_kernel_strands();
  return make_virtual_clock(std::move(strands), settings.schedule_seed);
}

std::uint64_t pair_of(int source, int dest) {
  return std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | static_cast<std::uint32_t>(dest);
}

}  // namespace

Emulation::Emulation(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                     const EmulationSettings& settings)
    : fabric_(fabric),
      settings_of_fabric_(fabric.settings()),
      placement_(placement),
      function_(function),
      settings_(settings),
      engine_(make_engine(settings)),
      network_(fabric, *engine_, *this),
      ranks_(placement.size()) {
  auto world = std::make_shared<Group>();
  world->members.resize(placement.size());
  std::iota(world->members.begin(), world->members.end(), 0);
  world->tiers.group.assign(1, std::vector<int>(placement.size(), 0));
  if (const Grid* grid = fabric.topology().grid(); grid && static_cast<std::size_t>(grid->size()) == placement.size()) {
    if (!std::equal(placement.begin(), placement.end(), world->members.begin()))
      own_grid_.emplace(grid->dims(), grid->wraps(), placement);
    world->grid = own_grid_ ? &*own_grid_ : grid;
  }
  world_ = std::move(world);
}

Report Emulation::run() {
  const auto begin = std::chrono::steady_clock::now();
  Engine::Outcome outcome = Engine::Outcome::stopped;
  try {
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) start_rank(rank);
    outcome = engine_->run(*this);
  } catch (...) {
    input_failure_ = std::current_exception();
  }
  if (outcome == Engine::Outcome::stuck) fail_with_deadlock();
  if (outcome == Engine::Outcome::finished) check_all_received();
  if (outcome != Engine::Outcome::finished) {
    giving_up_ = true;
    engine_->drain();
  }
  if (input_failure_) std::rethrow_exception(input_failure_);
  if (failure_) throw *failure_;
  Report result = report();
  result.host.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

// ---- on strands ----

std::uint32_t Emulation::take_slot(StrandState& strand) {
  if (strand.free_slots.empty()) {
    strand.slots.emplace_back();
    return static_cast<std::uint32_t>(strand.slots.size() - 1);
  }
  const std::uint32_t slot = strand.free_slots.back();
  strand.free_slots.pop_back();
  return slot;
}

void Emulation::block(StrandId id, StrandState::Blocked why) {
  strands_[id].blocked = why;
  engine_->block(id);
  if (giving_up_) throw Released{};
  strands_[id].blocked = StrandState::Blocked::no;
}

void Emulation::work(StrandId id, Time duration) {
  strands_[id].posts.emplace_back(WorkPost{duration});
  block(id, StrandState::Blocked::work);
}

Time Emulation::local_work(std::size_t bytes) const {
  if (settings_of_fabric_.gamma == 0) return Time();
  return Time::from_seconds(settings_of_fabric_.gamma * static_cast<double>(bytes) * settings_.payload_scale);
}

std::int64_t Emulation::wire_bytes(std::size_t bytes) const {
  return settings_.payload_scale == 1 ? static_cast<std::int64_t>(bytes)
                                      : std::llround(static_cast<double>(bytes) * settings_.payload_scale);
}

void Emulation::begin_rehearsal(StrandId id) {
  const StrandState& strand = strands_[id];
  RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
  rank.report.completion = engine_->now();
  rank.report.rounds = strand.round;
  rank.rehearsal = true;
}

std::shared_ptr<const void> Emulation::shared_plan(const std::string& key,
                                                   const std::function<std::shared_ptr<const void>()>& make) {
  const std::lock_guard lock(plans_mutex_);
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) plan = make();
  return plan;
}

// ---- strands begin and end ----

void Emulation::start_rank(int rank) {
  start_strand(rank, world_, rank, 0, [this](EmulatedCommunicator& communicator) { function_(communicator); });
}

StrandId Emulation::start_strand(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
                                 std::function<void(EmulatedCommunicator&)> body) {
  RankState& rank = ranks_[static_cast<std::size_t>(world_rank)];
  const int number = rank.strands_made++;
  const auto order = std::uint64_t{static_cast<std::uint32_t>(world_rank)} << 32 | static_cast<std::uint32_t>(number);
  // The body learns its own number when it begins, which is after start() has returned.
  const auto self = std::make_shared<StrandId>();
  const StrandId id = engine_->start(order, [this, self, body = std::move(body)] {
    if (giving_up_) return;
    StrandState& strand = strands_[*self];
    try {
      EmulatedCommunicator communicator(*this, *self, strand.group, strand.group_rank, strand.context);
      body(communicator);
    } catch (const Released&) {
      // The run has failed elsewhere.
    } catch (...) {
      strand.failure = std::current_exception();
    }
  });
  *self = id;
  if (id >= strands_.size()) strands_.resize(id + std::size_t{1}), live_.resize(id + std::size_t{1});
  live_[id] = true;
  StrandState& strand = strands_[id];
  strand = StrandState();
  strand.rank = world_rank;
  strand.number = number;
  strand.group = std::move(group);
  strand.group_rank = group_rank;
  strand.context = context;
  return id;
}

void Emulation::take_effect(StrandId id) {
  StrandState& strand = strands_[id];
  for (Post& post : strand.posts) {
    std::visit([&](auto& what) { effect(id, what); }, post);
    if (failure_) return;
  }
  strand.posts.clear();
  if (strand.failure) return fail_rank(strand);
  if (strand.blocked == StrandState::Blocked::no) ended(id);
}

void Emulation::ended(StrandId id) {
  StrandState& strand = strands_[id];
  live_[id] = false;
  check_all_waited_for(strand);
  if (failure_) return;
  if (strand.number == 0) {
    RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
    if (rank.rehearsal) return;
    rank.report.completion = engine_->now();
    rank.report.rounds = strand.round;
    return;
  }
  StrandState& parent = strands_[strand.parent];
  parent.children_round = std::max(parent.children_round, strand.round);
  if (--parent.children_left > 0) return;
  parent.round = std::max(parent.round, parent.children_round);
  engine_->wake(strand.parent);
}

// ---- messages ----

void Emulation::effect(StrandId strand, SendPost& post) {
  MessageId id = 0;
  if (free_messages_.empty()) {
    id = static_cast<MessageId>(messages_.size());
    messages_.push_back(std::move(post.message));
  } else {
    id = free_messages_.back();
    free_messages_.pop_back();
    messages_[id] = std::move(post.message);
  }
  Message& message = *messages_[id];
  message.channel = mailbox_.post_message(message.key, id, strands_[strand].send_channel);
  count(message);
  if (message.source == message.dest) return launch(id);
  if (const std::optional<int>& credits = settings_.buffering.credits) {
    if (*credits == 0) {
      mailbox_.make_visible(message.channel, id, pairings_);
      return settle_pairings();
    }
    Credits& pair = credits_[pair_of(message.source, message.dest)];
    if (pair.used == *credits) {
      pair.held.push_back(id);
      return;
    }
    ++pair.used;
  }
  launch(id);
}

void Emulation::effect(StrandId id, ReceivePost& post) {
  mailbox_.post_receive(post.key, {id, post.slot}, strands_[id].receive_channel, pairings_);
  settle_pairings();
}

void Emulation::count(const Message& message) {
  ++messages_carried_;
  if (message.rehearsal || message.source == message.dest) return;
  RankReport& report = ranks_[static_cast<std::size_t>(message.source)].report;
  ++report.messages;
  report.sent += Bytes(message.wire_bytes);
  ranks_[static_cast<std::size_t>(message.dest)].report.received += Bytes(message.wire_bytes);
  const auto round = static_cast<std::size_t>(message.round);
  if (round > rounds_.size()) rounds_.resize(round);
  ++rounds_[round - 1].messages;
  rounds_[round - 1].bytes += Bytes(message.wire_bytes);
}

/// The sender has what it needs: overhead and start-up come first.
void Emulation::launch(MessageId id) {
  const Message& message = *messages_[id];
  if (message.rehearsal || message.source == message.dest) {
    drained(id);
    if (!failure_) arrived(id);
    return;
  }
  Time start = engine_->now();
  if (settings_of_fabric_.send_overhead > Time()) {
    Time& busy = ranks_[static_cast<std::size_t>(message.source)].busy_until;
    start = busy = std::max(start, busy) + settings_of_fabric_.send_overhead;
  }
  start += settings_of_fabric_.alpha;
  if (start == engine_->now()) {
    enter_network(id);
  } else {
    ring_at(start, Ring::launch, id);
  }
}

void Emulation::enter_network(MessageId id) {
  const Message& message = *messages_[id];
  network_.send(id, placement_[static_cast<std::size_t>(message.source)], placement_[static_cast<std::size_t>(message.dest)],
                message.wire_bytes, message.round);
}

void Emulation::ring(std::uint64_t payload) {
  const auto id = static_cast<std::uint32_t>(payload);
  switch (static_cast<Ring>(payload >> 32)) {
    case Ring::launch:
      return enter_network(id);
    case Ring::wake:
      return engine_->wake(id);
  }
}

void Emulation::drained(MessageId id) {
  Message& message = *messages_[id];
  message.drained = true;
  check_unchanged(message);
  if (!failure_) complete(message.sender, message.sender_slot, message.round);
}

void Emulation::arrived(MessageId id) {
  const Message& message = *messages_[id];
  if (settings_.buffering.credits == 0 && message.source != message.dest) return deliver(id, message.receive);
  mailbox_.make_visible(message.channel, id, pairings_);
  settle_pairings();
}

void Emulation::settle_pairings() {
  // Delivering a rehearsal's message can pair others: take what is there, and look again.
  while (!pairings_.empty() && !failure_) {
    const Pairing pairing = pairings_.front();
    pairings_.erase(pairings_.begin());
    Message& message = *messages_[pairing.message];
    if (settings_.buffering.credits == 0 && message.source != message.dest) {
      message.receive = pairing.receive;
      launch(pairing.message);
    } else {
      deliver(pairing.message, pairing.receive);
    }
  }
}

void Emulation::deliver(MessageId id, ReceiveId receive) {
  Message& message = *messages_[id];
  RequestSlot& slot = strands_[receive.strand].slots[receive.slot];
  check_fits(message, slot);
  if (failure_) return;
  const std::span<const VectorView> into = slot.into.span();
  if (!into.empty() && !into[0].empty())
    std::memcpy(into[0].data(), slot.hidden.data(), std::min(slot.hidden.size(), into[0].size_bytes()));
  message.payload.scatter(into);
  slot.status = {Rank(message.key.source), Tag(message.key.tag), message.count};
  const int round = message.round;
  if (settings_.buffering.credits.value_or(0) > 0) give_credit_back(message);
  strands_[receive.strand].spare_message = std::move(messages_[id]);
  free_messages_.push_back(id);
  complete(receive.strand, receive.slot, round);
}

void Emulation::give_credit_back(const Message& message) {
  if (message.source == message.dest) return;
  Credits& pair = credits_[pair_of(message.source, message.dest)];
  if (pair.held.empty()) {
    --pair.used;
    return;
  }
  const MessageId next = pair.held.front();
  pair.held.pop_front();
  launch(next);
}

void Emulation::complete(StrandId id, std::uint32_t slot_index, int round) {
  StrandState& strand = strands_[id];
  RequestSlot& slot = strand.slots[slot_index];
  slot.state = RequestSlot::State::complete;
  slot.round = round;
  if (slot.awaited && --strand.pending == 0) engine_->wake(id);
}

// ---- cache ----

namespace {

/// Beyond, the processor's own prefetchers have caught on.
constexpr std::size_t kLongestPrefetch = 512;

/// All lines of an object of this size.
void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(object) + line);
}

}  // namespace

void Emulation::expect_effect(StrandId id, int stage) {
  const StrandState& strand = strands_[id];
  if (stage == 0) prefetch(&strand, sizeof strand);
  if (stage == 1 && !strand.posts.empty()) prefetch(strand.posts.data(), strand.posts.size() * sizeof(Post));
  if (stage == 2 && !strand.posts.empty()) {
    mailbox_.prefetch(strand.send_channel);
    mailbox_.prefetch(strand.receive_channel);
    for (const Post& post : strand.posts) {
      if (const auto* send = std::get_if<SendPost>(&post)) prefetch(send->message.get(), sizeof(Message));
    }
  }
}

void Emulation::expect_drained(MessageId id, int stage) {
  const Message* message = messages_[id].get();
  if (!message) return;
  if (stage == 0) prefetch(message, sizeof *message);
  if (stage == 1) {
    prefetch(&strands_[message->sender], sizeof(StrandState));
    const std::span<const ConstVectorView> from = message->from.span();
    if (!from.empty()) prefetch(from[0].data(), std::min(from[0].size_bytes(), kLongestPrefetch));
  }
  if (stage == 2) prefetch(&strands_[message->sender].slots[message->sender_slot], 64);
}

void Emulation::expect_arrived(MessageId id, int stage) {
  const Message* message = messages_[id].get();
  if (!message) return;
  if (stage == 0) prefetch(message, sizeof *message);
  if (stage == 1) mailbox_.prefetch(message->channel);
  if (stage == 2) {
    if (const ReceiveId* receive = mailbox_.first_receive(message->channel)) {
      prefetch(&strands_[receive->strand], sizeof(StrandState));
      prefetch(&strands_[receive->strand].slots[receive->slot], sizeof(RequestSlot));
    }
  }
}

// ---- strands of a rank, groups, work ----

void Emulation::effect(StrandId id, ConcurrentlyPost& post) {
  const auto [place, is_new] =
      concurrent_calls_.try_emplace({post.parent_context, post.call}, ConcurrentCall{contexts_, post.strands, post.rank});
  const ConcurrentCall& call = place->second;
  if (is_new) contexts_ += static_cast<std::uint32_t>(post.strands);
  if (call.strands != post.strands) {
    return fail(CheckError::Kind::usage,
                fmt::format("rank {} called concurrently({}, …) where rank {} called concurrently({}, …)", post.rank,
                            post.strands, call.by_rank, call.strands));
  }
  strands_[id].children_left = static_cast<std::uint32_t>(post.strands);
  strands_[id].children_round = 0;
  for (int i = 0; i < post.strands; ++i) {
    const StrandId child =
        start_strand(strands_[id].rank, post.group, post.rank, call.first_context + static_cast<std::uint32_t>(i),
                     [body = post.body, i](EmulatedCommunicator& communicator) { (*body)(i, communicator); });
    strands_[child].parent = id;
    strands_[child].round = strands_[id].round;
  }
}

void Emulation::effect(StrandId id, SplitPost& post) {
  SplitCall& call = splits_[{post.parent_context, post.call}];
  call.posts.push_back(post);
  call.strands.push_back(id);
  if (call.posts.size() == post.group->members.size()) make_groups(post, post.parent_context);
}

void Emulation::make_groups(const SplitPost& last, std::uint32_t context) {
  const auto place = splits_.find({context, last.call});
  const SplitCall call = std::move(place->second);
  splits_.erase(place);

  std::map<int, std::vector<std::size_t>> colors;  // color → indices into the call, by (key, rank)
  for (std::size_t i = 0; i < call.posts.size(); ++i) {
    if (call.posts[i].color >= 0) colors[call.posts[i].color].push_back(i);
  }
  for (auto& [color, indices] : colors) {
    std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(call.posts[a].key, call.posts[a].rank) < std::pair(call.posts[b].key, call.posts[b].rank);
    });
    auto group = std::make_shared<Group>();
    group->id = groups_++;
    for (const std::size_t i : indices) group->members.push_back(strands_[call.strands[i]].rank);
    group->tiers.group.assign(1, std::vector<int>(indices.size(), 0));
    const std::uint32_t made = contexts_++;
    for (std::size_t rank = 0; rank < indices.size(); ++rank) {
      StrandState& strand = strands_[call.strands[indices[rank]]];
      strand.split_group = group;
      strand.split_context = made;
      strand.split_rank = static_cast<int>(rank);
    }
  }
  for (const StrandId strand : call.strands) engine_->wake(strand);
}

void Emulation::effect(StrandId id, WorkPost& post) {
  Time& busy = ranks_[static_cast<std::size_t>(strands_[id].rank)].busy_until;
  busy = std::max(engine_->now(), busy) + post.duration;
  ring_at(busy, Ring::wake, id);
}

// ---- the report ----

Report Emulation::report() const {
  Report report;
  report.ranks.reserve(ranks_.size());
  for (const RankState& rank : ranks_) {
    report.ranks.push_back(rank.report);
    report.completion = std::max(report.completion, rank.report.completion);
  }
  report.links = network_.recorder().links();
  report.rounds = rounds_;
  const std::vector<int>& peaks = network_.recorder().round_peaks();
  for (std::size_t i = 0; i < std::min(peaks.size(), rounds_.size()); ++i) report.rounds[i].peak_flows = peaks[i];
  report.payload_scale = settings_.payload_scale;
  report.host.messages = messages_carried_;
  return report;
}

}  // namespace heddle::emu
