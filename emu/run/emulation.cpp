// SPDX-License-Identifier: Apache-2.0
#include "emu/run/emulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "emu/engine/make_engine.hpp"
#include "emu/messages/endpoint.hpp"
#include "emu/network/make_network.hpp"
#include "emu/network/network.hpp"
#include "emu/record/message_observer.hpp"

namespace heddle::emu {

namespace {

std::optional<OrderDirector> make_director(const EmulationSettings& settings) {
  if (settings.order.is_usual() && settings.met_points == nullptr) return std::nullopt;
  return std::optional<OrderDirector>(std::in_place, settings.order, settings.met_points);
}

bool room_matters(const EmulationSettings& settings) {
  return settings.buffering.credits.value_or(0) > 0 || (settings.observer != nullptr && settings.observer->minds_room());
}

}  // namespace

Emulation::Emulation(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
                     const EmulationSettings& settings)
    : fabric_(fabric),
      function_(function),
      director_(make_director(settings)),
      engine_(make_engine(settings, director_.has_value())),
      run_(*engine_, RankCosts(fabric.settings(), settings.byte_scale, engine_->is_real_time()), placement.size(),
           settings.threads == Threads::kernel, {settings.timeline, settings.sample, settings.observer}, settings.faults),
      faulty_(settings.faults.links.empty() ? nullptr
                                            : std::make_unique<FaultyLinks>(fabric, placement, settings.faults.links)),
      alone_(fabric, settings.latency_only, faulty_.get()),
      links_(fabric.topology(), settings.timeline, settings.sample),
      network_(make_network(settings.model, fabric, *engine_, *this, links_,
                            {alone_, settings.background, settings.latency_only, faulty_.get()})),
      flow_(run_, placement, *network_, alone_, settings.buffering.credits, director_ ? &*director_ : nullptr),
      polls_(run_, flow_),
      switches_(run_, *network_, alone_),
      groups_(fabric, placement, settings.byte_scale),
      runner_(run_, room_matters(settings), [this](TaskId task) { take_effects_now(task); }),
      rank_faults_(run_, runner_),
      communicators_(run_, groups_, runner_),
      diagnosis_(run_, flow_, switches_, communicators_, settings.observer) {
  if (director_) flow_.let_choose(directed_.emplace(run_, flow_, *director_));
  if (run_.injected != nullptr) runner_.count_calls(rank_faults_, !settings.faults.from_starting_line);
  groups_.let_switches_compute(settings.faults.switches);
}

Report Emulation::run() {
  const CallingTaskScope nobody(nullptr);  // a task may run an emulation of its own
  const auto begin = std::chrono::steady_clock::now();
  Engine::Outcome outcome = Engine::Outcome::stopped;
  std::exception_ptr own_failure;
  try {
    const std::shared_ptr<const Group> world = groups_.make_world();
    for (int rank = 0; rank < run_.ranks.count(); ++rank) runner_.start(rank, world, rank, 0, function_);
    outcome = engine_->run(*this);
    if (outcome == Engine::Outcome::stuck) diagnosis_.fail_with_deadlock();
    if (outcome == Engine::Outcome::finished) diagnosis_.check_all_received();
  } catch (...) {
    own_failure = std::current_exception();
  }
  // What tasks have on their stacks uses the run: they go before it does.
  if (outcome != Engine::Outcome::finished) runner_.release_all();
  if (outcome == Engine::Outcome::stuck) diagnosis_.add_thrown_before();
  if (own_failure) std::rethrow_exception(own_failure);
  run_.failure.rethrow();
  Report result = report();
  result.host.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (engine_->stopped_by()) throw_stopped(std::move(result));
  return result;
}

Report Emulation::report() const {
  Report report = run_.recorder.report(run_.tasks, links_, *network_);
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

bool Emulation::goes_on(TaskId id) {
  ScheduleSteps* const steps = run_.tasks[id].steps;
  return steps != nullptr && steps->go_on();
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

void Emulation::take_effect(TaskId id) {
  TaskState& task = run_.tasks[id];
  // Of one that has left its function, what it asked for and did not wait for points to where its buffers were.
  if (task.has_failed) return diagnosis_.fail_rank(task);
  const bool has_ended = task.blocked == TaskState::Blocked::no;
  if (has_ended) diagnosis_.check_all_waited_for(task);
  if (run_.failure.has_failed()) return;
  if (has_ended && task.special != nullptr) polls_.let_go(id);
  take_effects_now(id);
  if (run_.failure.has_failed()) return;
  if (!has_ended) return run_.recorder.note_blocked(task);
  run_.tasks.end(id);
  run_.recorder.note_ended(task);
  runner_.end(id);
}

// ---- effects ----

void Emulation::take_effects_now(TaskId id) {
  TaskState& task = run_.tasks[id];
  for (const Effect& effect : task.effects) {
    std::visit([&](const auto& what) { take(id, what); }, effect);
    if (run_.failure.has_failed()) return;
  }
  task.effects.clear();
}

void Emulation::take(TaskId id, const WorkEffect& effect) {
  TaskState& task = run_.tasks[id];
  const Time now = engine_->now();
  const Time work = effect.kind == WorkEffect::Kind::idle ? effect.duration : run_.slowed(task.rank, effect.duration);
  if (work > kLatestTime - run_.ranks.free_from(task.rank, now))
    throw InputError("the run would take over 46 days of emulated time: lower gamma or work on less");
  const Ranks::Begin begin = run_.ranks.occupy(task.rank, {now, task.contention_free}, work);
  task.contention_free = begin.contention_free + work;
  PathParts& parts = task.path.parts;
  parts.waiting += begin.time - now;
  (effect.kind == WorkEffect::Kind::local_work ? parts.local_work
   : effect.kind == WorkEffect::Kind::overhead ? parts.startup
                                               : parts.waiting) += work;
  run_.wakes.resume_at(begin.time + work, id);
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
