// SPDX-License-Identifier: Apache-2.0
#include "emu/run/emulation.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <variant>

#include "emu/engine/make_engine.hpp"
#include "emu/engine/stack_pool.hpp"
#include "emu/engine/task_identity.hpp"
#include "emu/messages/exchange_steps.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/network/make_network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/run/emulate.hpp"
#include "emu/run/lockstep_rounds.hpp"
#include "emu/run/polls.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

std::optional<OrderDirector> make_director(const EmulationSettings& settings) {
  if (settings.order.is_usual() && settings.met_points == nullptr) return std::nullopt;
  return std::optional<OrderDirector>(std::in_place, settings.order, settings.met_points);
}

/// Nobody looks on, nothing is in another order than the usual one, and nothing goes wrong by request.
bool may_be_in_lockstep(const EmulationSettings& settings, const RunState& run) {
  return settings.lockstep && settings.sinks.empty() && !settings.order_seed && settings.order.is_usual() &&
         settings.met_points == nullptr && settings.faults.empty() && !settings.buffering.credits && run.costs.are_none();
}

void require_served(Model model, ModelNeed need) {
  if (const std::string_view lack = why_not(model, need); !lack.empty())
    throw InputError(fmt::format("the {} model {}; try fluid", to_string(model), lack));
}

void require_possible(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings) {
  if (placement.empty()) throw InputError("a run needs at least one rank");
  std::vector<bool> used(static_cast<std::size_t>(fabric.topology().endpoints()));
  for (const VertexId endpoint : placement) {
    if (endpoint < 0 || endpoint >= fabric.topology().endpoints())
      throw InputError(fmt::format("a rank is placed on endpoint {}, and {} has endpoints 0 to {}", endpoint,
                                   fabric.topology().spec(), fabric.topology().endpoints() - 1));
    if (used[static_cast<std::size_t>(endpoint)]) throw InputError("two ranks are placed on one endpoint");
    used[static_cast<std::size_t>(endpoint)] = true;
  }
  if (!(settings.byte_scale >= 1 && std::isfinite(settings.byte_scale)))
    throw InputError(fmt::format("payload_scale {}: it must be at least 1, and finite", settings.byte_scale));
  if (settings.stack_bytes > EmulationSettings::kLargestStack) {
    throw InputError(fmt::format("stack_bytes {}: at most {} for each task", settings.stack_bytes,
                                 to_string(Bytes(static_cast<std::int64_t>(EmulationSettings::kLargestStack)))));
  }
  if (settings.buffering.credits && *settings.buffering.credits < 0)
    throw InputError("buffering: the number of credits must not be negative");
  for (const BackgroundFlow& flow : settings.background) require_possible(fabric, flow);
  if (settings.faults.worst)
    throw InputError("a run has no fault of the worst link: find_worst_link (emu/studies/further_runs.hpp) says which it is");
  require_possible(settings.faults, fabric.topology(), static_cast<int>(placement.size()));
  if (const std::string lack = why_not(settings.model, fabric); !lack.empty())
    throw InputError(fmt::format("the {} model {}", to_string(settings.model), lack));
  for (const LinkFault& fault : settings.faults.links) require_served(settings.model, need_of(fault));
  if (!settings.background.empty() && !settings.faults.links.empty())
    throw InputError("faults of links and flows in the background: one of both");
  if (!settings.background.empty()) require_served(settings.model, ModelNeed::background);
  check_engine(settings);
}

std::int64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace

/// Wires the parts of one run together. Ranks ask through their communicators; what they asked for takes effect here, between the
/// timestamps at which they run, on the engine's thread alone.
class Emulation final : private EngineClient, private NetworkClient {
 public:
  /// All references must outlive the run.
  Emulation(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings);

 private:
  friend Report emu::emulate_measured(const Fabric&, const Placement&, const MeasuredFunction&, const EmulationSettings&);

  // What the engine asks.
  void take_pending(TaskId task) override;
  bool goes_on(TaskId task) override;
  bool outlives_its_function(TaskId task) const override { return run_.tasks[task].last != nullptr; }
  void prefetch(TaskId task, int stage) const override;
  bool operations_stay_apart() const override {
    return run_.ranks.nobody_makes_second_call() && !run_.failure.is_near() && !run_.has_started_tasks;
  }
  bool may_run_ahead() const override;
  bool may_take_together(std::size_t tasks) const override { return rounds_.may_take(tasks); }
  bool can_wait(TaskId task) const override { return rounds_.can_wait(task); }
  bool take_together(std::span<const TaskId> tasks, std::span<const Time> times) override { return rounds_.take(tasks, times); }
  bool may_run_early() const override { return ranks_are_quiet_; }
  bool end_timestamp() override { return network_->end_timestamp() || (polls_.are_alone() && end_polling()); }
  void goes_on_for_ever(std::span<const TaskId> tasks) override { diagnosis_.fail_endless(tasks); }
  bool holds_back(TaskId task) override { return directed_->holds_back(task); }
  bool release() override;

  // What the network says.
  void drained(MessageId message, Time arrival) override { flow_.drained(message, arrival); }
  void left(MessageId message) override { flow_.left(message); }
  void arrived(MessageId message) override { flow_.arrived(message); }
  void streamed(StreamId stream) override { switches_.streamed(stream); }

  // Each kind of operation.
  void take_pending_now(TaskId task);
  void take(TaskId task, const PendingSend& operation) { flow_.take(task, operation); }
  void take(TaskId task, const PendingReceive& operation) { flow_.take(task, operation); }
  void take(TaskId task, const PendingRoom& operation) { flow_.take(task, operation); }
  void take(TaskId task, const PendingTakenReceive& operation) { flow_.take(task, operation); }
  void take(TaskId task, const PendingQuestion& operation) { polls_.take(task, operation); }
  void take(TaskId task, const PendingFree& operation) { polls_.take(task, operation); }
  void take(TaskId task, const PendingChoice&) { run_.recorder.note_saw_order(run_.tasks[task].rank, OrderSeen::any_request); }
  void take(TaskId task, const PendingProbe& operation) { polls_.take(task, operation); }
  void take(TaskId task, const PendingDoze& operation) { polls_.take(task, operation); }
  void take(TaskId task, const std::unique_ptr<PendingStart>& operation) { communicators_.take(task, *operation); }
  void take(TaskId task, const PendingForm& operation) { communicators_.take(task, *operation.call); }
  void take(TaskId task, const PendingWork& operation);
  void take(TaskId task, const std::unique_ptr<PendingBranches>& operation) { communicators_.take(task, *operation); }
  void take(TaskId task, const std::unique_ptr<SplitCall>& operation) { communicators_.take(task, *operation); }
  void take(TaskId task, const std::unique_ptr<PendingSwitchCall>& operation) { switches_.take(task, *operation); }
  void take(TaskId task, const std::unique_ptr<PendingPhase>& operation) {
    run_.recorder.note_phase(run_.tasks[task], operation->depth, operation->name);
  }

  void post_steps();
  bool end_polling();
  bool release_second_calls();
  Report report() const;
  [[noreturn]] void throw_stopped(Report so_far) const;

  const Fabric& fabric_;
  const bool ranks_are_quiet_;
  std::optional<OrderDirector> director_;  ///< none in the usual order
  std::unique_ptr<Engine> engine_;
  RunState run_;
  std::unique_ptr<FaultyLinks> faulty_;  ///< nullptr: all are well
  AloneTimes alone_;
  NetworkRecorder links_;
  std::unique_ptr<Network> network_;
  MessageFlow flow_;
  LockstepRounds rounds_;
  std::vector<TaskId> before_second_call_;  ///< ranks that wait for the others there
  Polls polls_;
  SwitchCalls switches_;
  GroupMaker groups_;
  TaskRunner runner_;
  RankFaults rank_faults_;
  CommunicatorCalls communicators_;
  std::optional<DirectedOrder> directed_;  ///< where there is a director
  RunDiagnosis diagnosis_;
};

Emulation::Emulation(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings)
    : fabric_(fabric),
      ranks_are_quiet_(settings.ranks_are_quiet),
      director_(make_director(settings)),
      engine_(make_engine(settings, director_.has_value())),
      run_(*engine_, RankCosts(fabric.settings(), settings.byte_scale, engine_->is_real_time()), placement.size(),
           settings.threads == Threads::kernel, settings.sinks, settings.faults),
      faulty_(settings.faults.links.empty() ? nullptr
                                            : std::make_unique<FaultyLinks>(fabric, placement, settings.faults.links)),
      alone_(fabric, settings.latency_only, faulty_.get()),
      links_(fabric.topology(), settings.sinks),
      network_(make_network(settings.model, fabric, *engine_, *this, links_,
                            {alone_, settings.background, settings.latency_only, faulty_.get()})),
      flow_(run_, placement, *network_, alone_, settings.buffering.credits, director_ ? &*director_ : nullptr),
      rounds_(run_, placement, *network_, may_be_in_lockstep(settings, run_)),
      polls_(run_, flow_),
      switches_(run_, *network_, alone_),
      groups_(fabric, placement, settings.byte_scale),
      runner_(run_, settings.buffering.credits.value_or(0) > 0 || run_.recorder.minds_room(),
              [this](TaskId task) { take_pending_now(task); }),
      rank_faults_(run_, runner_),
      communicators_(run_, groups_, runner_),
      diagnosis_(run_, flow_, switches_, communicators_) {
  runner_.hold_second_calls(rounds_.may_be());
  if (director_) flow_.let_choose(directed_.emplace(run_, flow_, *director_));
  if (run_.injected != nullptr) runner_.count_calls(rank_faults_, !settings.faults.from_starting_line);
  if (why_not(settings.model, ModelNeed::streams).empty()) groups_.let_switches_compute(settings.faults.switches);
}

Report Emulation::report() const {
  Report report = run_.recorder.report(run_.tasks, links_, *network_, communicators_.contexts());
  report.host.lockstep_rounds = rounds_.made();
  if (run_.injected != nullptr) run_.injected->report(fabric_, faulty_.get(), report);
  return report;
}

void Emulation::throw_stopped(Report so_far) const {
  const RunStopped::Reason reason = *engine_->stopped_by();
  so_far.completion = engine_->now();
  const auto returned =
      std::count_if(so_far.ranks.begin(), so_far.ranks.end(), [](const RankReport& rank) { return rank.completion > Time(); });
  const std::string explanation = fmt::format(
      "{} after {:.3g} s, at {} of emulated time: {} of {} ranks had returned, {} messages with {} had been posted",
      reason == RunStopped::Reason::deadline ? "stopped by its deadline" : "interrupted", so_far.host.wall_seconds,
      to_string(so_far.completion), returned, so_far.ranks.size(), so_far.messages(), to_string(so_far.sent_total()));
  throw RunStopped(reason, explanation, std::move(so_far));
}

// ---- what the engine asks ----

void Emulation::prefetch(TaskId id, int stage) const {
  const TaskState& task = run_.tasks[id];
  if (stage == 0) return task.prefetch();
  if (task.steps == nullptr) return;
  emu::prefetch(task.steps, sizeof *task.steps);
  for (const RequestSlot& slot : task.slots) {
    if (!slot.is_send && !slot.into.span().empty()) prefetch_line(slot.into.span()[0].data());
  }
}

bool Emulation::goes_on(TaskId id) {
  const TaskState& task = run_.tasks[id];
  if (task.steps == nullptr) return false;
  if (task.steps->go_on()) return true;
  if (task.last == nullptr) return false;
  runner_.end_steps(id);
  return true;
}

/// Once all ranks make the second call, all that is reported has happened, and what remains is whether the results are
/// right. Where each receive names its source and no send waits for room, that is the same in any order (a Kahn network): not
/// where receives take from any source, nor where credits run out, which in another order could be a deadlock. Nor
/// where somebody observes the order.
bool Emulation::may_run_ahead() const {
  return run_.ranks.all_make_second_call() && !director_ && !run_.recorder.is_observed_in_order() &&
         !flow_.credits_per_pair() && !flow_.mailbox().has_met_any_source() && !run_.makes_special_calls;
}

/// Only ranks that poll are left. Where a director holds something back, they wait for that.
bool Emulation::end_polling() {
  if (directed_ && directed_->release()) return true;
  switch (polls_.verdict()) {
    case Polls::Verdict::go_on:
      return false;
    case Polls::Verdict::deadlock:
      diagnosis_.fail_with_deadlock();
      return true;
    case Polls::Verdict::endless:
      diagnosis_.fail_polling();
      return true;
  }
  return false;
}

void Emulation::take_pending(TaskId id) {
  TaskState& task = run_.tasks[id];
  // Of one that has left its function, what it asked for and did not wait for points to where its buffers were.
  if (task.has_failed) {
    post_steps();
    return diagnosis_.fail_rank(task);
  }
  const bool has_ended = task.blocked == TaskState::Blocked::no;
  if (has_ended) diagnosis_.check_all_waited_for(task);
  if (run_.failure.has_failed()) return;
  if (has_ended && task.special != nullptr) polls_.let_go(id);
  if (task.steps != nullptr && task.steps->is_looked_up() && !task.steps->post()) run_.wakes.resume(id);
  take_pending_now(id);
  if (run_.failure.has_failed()) return;
  if (task.blocked == TaskState::Blocked::second_call) {
    before_second_call_.push_back(id);
    if (before_second_call_.size() == static_cast<std::size_t>(run_.ranks.count())) release_second_calls();
  }
  if (!has_ended) return run_.recorder.note_blocked(task);
  run_.tasks.end(id);
  run_.recorder.note_ended(task);
  runner_.end(id);
}

/// Of all tasks that have some to post: so it is seen whom they wait for.
void Emulation::post_steps() {
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    ExchangeSteps* const steps = run_.tasks.is_live(id) ? run_.tasks[id].steps : nullptr;
    if (steps != nullptr && steps->is_looked_up()) steps->post();
  }
}

/// False: nobody waits there.
bool Emulation::release_second_calls() {
  runner_.hold_second_calls(false);
  rounds_.begin_second_calls();
  // Together: none runs ahead of the others.
  for (const TaskId task : before_second_call_) run_.wakes.resume_at(engine_->now(), task);
  return !std::exchange(before_second_call_, {}).empty();
}

bool Emulation::release() { return release_second_calls() || (directed_ && directed_->release()); }

// ---- operations ----

void Emulation::take_pending_now(TaskId id) {
  TaskState& task = run_.tasks[id];
  for (const PendingOperation& operation : task.operations) {
    // Nearly always: std::visit() calls through a table where there are so many kinds.
    if (const auto* const send = std::get_if<PendingSend>(&operation))
      take(id, *send);
    else if (const auto* const receive = std::get_if<PendingReceive>(&operation))
      take(id, *receive);
    else
      std::visit([&](const auto& what) { take(id, what); }, operation);
    if (run_.failure.has_failed()) return;
  }
  task.operations.clear();
}

void Emulation::take(TaskId id, const PendingWork& operation) {
  TaskState& task = run_.tasks[id];
  const Time now = engine_->now();
  const Time work = operation.kind == PendingWork::Kind::idle ? operation.duration : run_.slowed(task.rank, operation.duration);
  if (work > kLatestTime - run_.ranks.free_from(task.rank, now))
    throw InputError("the run would take over 46 days of emulated time: lower gamma or work on less");
  const Ranks::Begin begin = run_.ranks.occupy(task.rank, {now, task.contention_free}, work);
  task.contention_free = begin.contention_free + work;
  PathParts& parts = task.path.parts;
  parts.waiting += begin.time - now;
  (operation.kind == PendingWork::Kind::local_work ? parts.local_work
   : operation.kind == PendingWork::Kind::overhead ? parts.startup
                                                   : parts.waiting) += work;
  run_.wakes.resume_at(begin.time + work, id);
}

Report emulate_measured(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
                        const EmulationSettings& settings) {
  require_memory(estimate_memory(static_cast<std::int64_t>(placement.size()), fabric.topology().links(), Bytes(0)),
                 [&] { return fabric.topology().spec(); });
  require_possible(fabric, placement, settings);
  Emulation emulation(fabric, placement, settings);
  const CallingTaskScope nobody(nullptr);  // a task may run an emulation of its own
  const auto begin = std::chrono::steady_clock::now();
  Engine& engine = *emulation.engine_;
  RunState& run = emulation.run_;
  TaskRunner& runner = emulation.runner_;
  RunDiagnosis& diagnosis = emulation.diagnosis_;
  Engine::Outcome outcome = Engine::Outcome::stopped;
  std::exception_ptr own_failure;
  try {
    const std::shared_ptr<const Group> world = emulation.groups_.make_world();
    for (int rank = 0; rank < run.ranks.count(); ++rank) runner.start(rank, world, rank, 0, function);
    outcome = engine.run(emulation);
    if (outcome == Engine::Outcome::stuck) {
      const std::string standstill = emulation.network_->standstill();
      if (!standstill.empty()) run.failure.fail(CheckError::Kind::deadlock, standstill);
      diagnosis.fail_with_deadlock();
    }
    if (outcome == Engine::Outcome::finished) diagnosis.check_all_received();
  } catch (...) {
    own_failure = std::current_exception();
  }
  // What tasks have on their stacks uses the run: they go before it does.
  if (outcome != Engine::Outcome::finished) runner.release_all();
  if (outcome == Engine::Outcome::stuck) diagnosis.add_thrown_before();
  if (own_failure) std::rethrow_exception(own_failure);
  run.failure.rethrow();
  Report report = emulation.report();
  report.host.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (engine.stopped_by()) emulation.throw_stopped(std::move(report));
  report.host.peak_rss_bytes = peak_rss_bytes();
  return report;
}

bool DirectedOrder::holds_back(TaskId id) {
  const TaskState& task = run_.tasks[id];
  if (!director_.delays_step(task.rank, task.number)) return false;
  director_.hold({true, id, run_.engine.now()});
  return true;
}

bool DirectedOrder::release() {
  if (!director_.is_holding()) return false;
  const OrderDirector::Held held = director_.release();
  const Time waited = run_.engine.now() - held.since;
  if (held.is_task) {
    TaskState& task = run_.tasks[held.id];
    task.path.parts.waiting += waited;
    task.contention_free += waited;
    run_.engine.wake(held.id);
  } else {
    Message& message = run_.messages[held.id];
    message.path.parts.waiting += waited;
    message.contention_free += waited;
    flow_.arrive(held.id);
  }
  return true;
}

std::size_t DirectedOrder::choose(ReceiveId receive, std::size_t messages) {
  return director_.pick(run_.tasks[receive.task()].rank, messages);
}

}  // namespace heddle::emu

namespace heddle {

void install_process_handlers(OverflowHandler first) {
  emu::watch_for_terminate();
  emu::let_watch_for_overflows(first);
}

Report emulate(const Fabric& fabric, const Placement& placement, const RankFunction& function,
               const EmulationSettings& settings) {
  return emu::emulate_measured(fabric, placement, std::cref(function), settings);
}

}  // namespace heddle
