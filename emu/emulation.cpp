// SPDX-License-Identifier: Apache-2.0
#include "emu/emulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/alpha_beta_network.hpp"
#include "emu/emulated_communicator.hpp"
#include "emu/faulty_communicator.hpp"
#include "emu/fluid_network.hpp"
#include "emu/schedule_director.hpp"
#include "emu/schedule_steps.hpp"
#include "emu/wall_communicator.hpp"

namespace heddle::emu {

namespace {

std::unique_ptr<ScheduleDirector> make_director(const EmulationSettings& settings) {
  if (settings.schedule.is_usual() && settings.met_points == nullptr) return nullptr;
  return std::make_unique<ScheduleDirector>(settings.schedule, settings.met_points);
}

std::unique_ptr<Engine> make_engine(const EmulationSettings& settings, bool is_directed) {
  if (settings.wall) return make_wall_clock(*settings.wall);
  auto strands = settings.threads == Threads::user ? make_user_strands(settings.stack_bytes) : make_kernel_strands();
  return make_virtual_clock(std::move(strands), settings.schedule_seed, is_directed);
}

std::unique_ptr<Network> make_network(const Fabric& fabric, const Placement& placement, Engine& engine, NetworkClient& client,
                                      const EmulationSettings& settings) {
  const NetworkLoad load{.background = settings.background,
                         .latency_only = settings.latency_only,
                         .timeline = settings.timeline,
                         .faults = settings.faults.links,
                         .placement = &placement};
  if (settings.model == Model::alpha_beta) return std::make_unique<AlphaBetaNetwork>(fabric, engine, client, load);
  return std::make_unique<FluidNetwork>(fabric, engine, client, load);
}

}  // namespace

Emulation::Emulation(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                     const EmulationSettings& settings)
    : fabric_(fabric),
      settings_of_fabric_(fabric.settings()),
      placement_(placement),
      function_(function),
      settings_(settings),
      director_(make_director(settings)),
      injected_(settings.faults.empty() ? nullptr : std::make_unique<InjectedFaults>(settings.faults, placement.size())),
      engine_(make_engine(settings, director_ != nullptr)),
      wall_(settings.wall ? static_cast<WallClock*>(engine_.get()) : nullptr),
      network_(make_network(fabric, placement, *engine_, *this, settings)),
      ranks_(placement.size()) {
  if (director_ != nullptr) mailbox_.let_choose(*this);
  if (has_computing_switches(fabric.topology())) switch_graph_ = std::make_shared<LazySwitchGraph>(fabric.topology());
  auto world = std::make_shared<Group>();
  world->members.resize(placement.size());
  std::iota(world->members.begin(), world->members.end(), 0);
  describe_place(*world);
  world_ = std::move(world);
}

Emulation::~Emulation() = default;

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
  if (wall_ != nullptr && wall_->stopped_by()) throw_stopped(std::move(result));
  return result;
}

void Emulation::throw_stopped(Report so_far) const {
  const RunStopped::Reason reason = *wall_->stopped_by();
  so_far.completion = engine_->now();
  const auto returned =
      std::count_if(so_far.ranks.begin(), so_far.ranks.end(), [](const RankReport& rank) { return rank.completion > Time(); });
  const std::string explanation = fmt::format(
      "{} after {:.3g} s, at {} of emulated time: {} of {} ranks had returned, {} messages with {} had been posted",
      reason == RunStopped::Reason::deadline ? "stopped by its deadline" : "interrupted", so_far.host.wall_seconds,
      to_string(so_far.completion), returned, so_far.ranks.size(), so_far.messages(), to_string(so_far.sent_total()));
  throw RunStopped(reason, explanation, std::move(so_far));
}

// ---- on strands ----

std::uint32_t Emulation::take_slot(StrandState& strand) {
  if (strand.free_slot == StrandState::kNoSlot) {
    strand.slots.emplace_back();
    return static_cast<std::uint32_t>(strand.slots.size() - 1);
  }
  return std::exchange(strand.free_slot, strand.slots[strand.free_slot].next_free);
}

std::pair<MessageId, Message*> Emulation::take_message() {
  std::unique_lock lock(messages_mutex_, std::defer_lock);
  if (settings_.threads == Threads::kernel) lock.lock();
  if (free_messages_.empty()) {
    const auto id = static_cast<MessageId>(messages_.size());
    messages_.grow(id + std::size_t{1});
    return {id, &messages_[id]};
  }
  const MessageId id = free_messages_.back();
  free_messages_.pop_back();
  expect_posted();
  return {id, &messages_[id]};
}

void Emulation::block(StrandId id, StrandState::Blocked why) {
  strands_[id].blocked = why;
  engine_->block(id);
  if (giving_up_) throw Released{};
  strands_[id].blocked = StrandState::Blocked::no;
}

void Emulation::work(StrandId id, Time duration, WorkPost::Kind kind) {
  strands_[id].posts.emplace_back(WorkPost{duration, kind});
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
  StrandState& strand = strands_[id];
  RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
  has_completed(rank, strand);
  strand.round = 0;
  rank.rehearsal = strand.rehearsal = true;
  ++rehearsing_;
}

void Emulation::start_line(StrandId id) {
  if (wall_ != nullptr) wall_->meet(id);
  if (giving_up_) throw Released{};
}

Time Emulation::finish_line(StrandId id) {
  const Time now = engine_->now();
  if (wall_ == nullptr) return now;
  std::optional<Time>& finished = ranks_[static_cast<std::size_t>(strands_[id].rank)].finished;
  finished = std::max(now, finished.value_or(now));
  wall_->meet(id);
  if (giving_up_) throw Released{};
  return now;
}

std::shared_ptr<const void> Emulation::shared_plan(const std::string& key,
                                                   const std::function<std::shared_ptr<const void>()>& make) {
  const std::lock_guard lock(plans_mutex_);
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) plan = make();
  return plan;
}

/// Once all ranks rehearse, all that is reported has happened, and what remains is whether the results are right. Where each
/// receive names its source and no send waits for room, that is the same in any order (a Kahn network): not where receives take
/// from any source, nor where credits run out, which in another order could be a deadlock.
bool Emulation::may_run_ahead() const {
  return rehearsing_ == ranks_.size() && director_ == nullptr && !settings_.buffering.credits && !mailbox_.has_met_any_source();
}

void Emulation::has_completed(RankState& rank, const StrandState& strand) {
  rank.report.completion = rank.finished.value_or(engine_->now());
  rank.report.rounds = strand.round;
  rank.path = strand.path;
  if (wall_ != nullptr) count_real_work(rank.path, rank.report.completion);
  rank.contention_free = strand.contention_free;
}

// ---- strands begin, wait and end ----

void Emulation::start_rank(int rank) { start_strand(rank, world_, rank, 0, function_); }

StrandId Emulation::start_strand(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
                                 std::function<void(Communicator&)> body) {
  RankState& rank = ranks_[static_cast<std::size_t>(world_rank)];
  const int number = rank.strands_made++;
  // The body learns its own number when it begins, which is after start() has returned.
  const auto self = std::make_shared<StrandId>();
  const StrandId id = engine_->start(pair_key(world_rank, number), [this, self, body = std::move(body)] {
    if (!giving_up_) run_strand(*self, body);
  });
  *self = id;
  if (id >= strands_.size()) strands_.grow(id + std::size_t{1}), live_.resize(id + std::size_t{1});
  live_[id] = true;
  peak_strands_ = std::max(peak_strands_, ++acting_strands_);
  StrandState& strand = strands_[id];
  strand = StrandState();
  strand.rank = world_rank;
  strand.rehearsal = rank.rehearsal;
  strand.number = number;
  strand.group = std::move(group);
  strand.group_rank = group_rank;
  strand.context = context;
  return id;
}

void Emulation::run_strand(StrandId id, const std::function<void(Communicator&)>& body) {
  StrandState& strand = strands_[id];
  try {
    if (is_faulty(strand.rank)) {
      FaultyCommunicator communicator(*this, id, strand.group, strand.group_rank, strand.context);
      if (strand.number == 0 && !settings_.faults.from_starting_line) begin_faults(id);
      body(communicator);
    } else if (wall_ == nullptr) {
      EmulatedCommunicator communicator(*this, id, strand.group, strand.group_rank, strand.context);
      strand.communicator = &communicator;
      body(communicator);
    } else {
      WallCommunicator communicator(*this, *wall_, id, strand.group, strand.group_rank, strand.context);
      const WallCommunicator::Outside outside(*wall_, id);
      body(communicator);
    }
  } catch (const Released&) {
    // The run has failed elsewhere.
  } catch (...) {
    strand.failure = std::current_exception();
    strand.has_failed = true;
    troubled_ = true;
  }
}

bool Emulation::goes_on(StrandId id) {
  ScheduleSteps* const steps = strands_[id].steps;
  return steps != nullptr && steps->go_on();
}

void Emulation::post_now(StrandId id) {
  StrandState& strand = strands_[id];
  for (Post& post : strand.posts) {
    std::visit([&](auto& what) { effect(id, what); }, post);
    if (failure_) return;
  }
  strand.posts.clear();
}

void Emulation::take_effect(StrandId id) {
  StrandState& strand = strands_[id];
  // Of one that has left its function, what it posted and did not wait for points to where its buffers were.
  if (strand.has_failed) return fail_rank(strand);
  if (strand.blocked == StrandState::Blocked::no) check_all_waited_for(strand);
  if (failure_) return;
  post_now(id);
  if (failure_) return;
  if (strand.blocked == StrandState::Blocked::no) return ended(id);
  if (settings_.timeline != nullptr) strand.blocked_since = engine_->now();
}

void Emulation::wake(StrandId id, const Cause& cause) {
  StrandState& strand = strands_[id];
  if (cause.base != &strand.path) strand.path = cause.path();
  resume(id);
}

void Emulation::resume(StrandId id) {
  if (settings_.timeline != nullptr) record_span(strands_[id]);
  engine_->wake(id);
}

void Emulation::count_traffic(const StrandState& strand, RankReport& report) {
  report.messages += strand.messages_sent;
  report.sent += strand.sent;
  report.received += strand.received;
}

void Emulation::ended(StrandId id) {
  StrandState& strand = strands_[id];
  live_[id] = false;
  --acting_strands_;
  count_traffic(strand, ranks_[static_cast<std::size_t>(strand.rank)].report);
  check_all_waited_for(strand);
  if (failure_) return;
  if (strand.number == 0) {
    RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
    if (!rank.rehearsal) has_completed(rank, strand);
    return;
  }
  StrandState& parent = strands_[strand.parent];
  parent.children_round = std::max(parent.children_round, strand.round);
  parent.children_contention_free = std::max(parent.children_contention_free, strand.contention_free);
  parent.calls = std::max(parent.calls, strand.calls);
  if (--parent.children_left > 0) return;
  ++acting_strands_;
  parent.round = std::max(parent.round, parent.children_round);
  parent.contention_free = parent.children_contention_free;
  wake(strand.parent, own(strand));
}

// ---- the report ----

Report Emulation::report() const {
  Report report;
  report.ranks.reserve(ranks_.size());
  for (const RankState& rank : ranks_) {
    report.ranks.push_back(rank.report);
    report.contention_free = std::max(report.contention_free, rank.contention_free);
    if (report.ranks.size() > 1 && rank.report.completion <= report.completion) continue;
    report.completion = rank.report.completion;
    report.critical_path = rank.path;
  }
  for (StrandId id = 0; id < strands_.size(); ++id) {
    if (live_[id]) count_traffic(strands_[id], report.ranks[static_cast<std::size_t>(strands_[id].rank)]);
  }
  report.links = network_->recorder().links();
  report.background = network_->background(report.completion);
  report.rounds = rounds_;
  const std::vector<int>& peaks = network_->recorder().round_peaks();
  for (std::size_t i = 0; i < std::min(peaks.size(), rounds_.size()); ++i) report.rounds[i].peak_flows = peaks[i];
  report.switches_computed = switches_computed_;
  report.switch_precision = switch_precision_;
  report.peak_strands = peak_strands_;
  report.payload_scale = settings_.payload_scale;
  if (injected_ != nullptr) report.idle_faults = injected_->idle(report.completion, fabric_.topology());
  report.host.messages = messages_carried_;
  if (settings_.wall) report.host.dilation = settings_.wall->dilation;
  return report;
}

}  // namespace heddle::emu
