// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/sweep/sweep_clock.hpp"
#include "lab/work/budgeted_tasks.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

SweepMeasurement measurement_of(const Setup& plan, const Report& report) {
  const Rates rates = rates_of(plan, report);
  SweepMeasurement measured;
  measured.time = report.completion;
  measured.algbw = rates.algbw;
  measured.busbw = rates.busbw;
  measured.rounds = report.rounds_max();
  measured.messages = report.messages();
  measured.messages_digest = report.messages_digest;
  measured.sent_max = report.sent_max();
  measured.peak_flows = peak_flows(report);
  measured.path = report.critical_path.parts;
  measured.contention_free = report.contention_free;
  measured.payload_scale = report.payload_scale;
  if (report.switch_precision) measured.switch_precision = to_string(*report.switch_precision);
  return measured;
}

void fill(SweepResult& result, const Setup& plan, const Outcome& outcome) {
  if (const Report* report = outcome.report()) result.measured = measurement_of(plan, *report);
  if (const Failure* failure = outcome.failure()) result.failure = *failure;
}

void explain(const std::exception_ptr& failure, SweepEnd& end) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    end.failure = "out of memory; a smaller --memory or --jobs runs fewer at once, a smaller --payload needs less";
    end.is_refused = true;
  } catch (const InputError& error) {
    end.failure = error.what();
    end.is_refused = true;
  } catch (const std::exception& error) {
    end.failure = error.what();
  }
}

/// What the threads of a sweep share.
class Session {
 public:
  Session(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, SweepWatcher* watcher)
      : plan_(plan), journal_(journal), work_(work), clock_(plan, work.workers), watcher_(watcher) {}

  /// All of it, on this thread and oneTBB's.
  void work() {
    std::exception_ptr failure;
    try {
      run_within_budget(tasks(), work_.workers, work_.memory, [this] { return interruptions() > 0; });
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    has_ended_ = true;
    changed_.notify_all();
  }

  /// Until all has ended or is to be given up. Then calls `finish`, with the document held.
  void watch(const std::function<void(const SweepEnd&)>& finish) {
    constexpr std::chrono::milliseconds kTick(100);  // signals and the bar are looked at so often
    std::unique_lock lock(mutex_);
    while (!has_ended_ && !is_to_give_up()) {
      show_progress();
      report_interrupt();
      changed_.wait_for(lock, kTick);
    }
    if (watcher_ != nullptr) watcher_->ended();
    SweepEnd end;
    if (failure_) explain(failure_, end);
    end.is_interrupted = interruptions() > 0;
    end.has_abandoned = !has_ended_;
    finish(end);
  }

 private:
  std::vector<BudgetedTask> tasks() {
    std::vector<BudgetedTask> tasks;
    for (const PlannedRun& run : plan_.runs) {
      if (is_finished(plan_.document.runs[run.run])) continue;
      tasks.push_back({run.cost, run.memory, [this, &run] { make(run); }});
    }
    const std::lock_guard lock(mutex_);
    finished_ = static_cast<int>(plan_.runs.size() - tasks.size());
    return tasks;
  }

  void make(const PlannedRun& run) {
    {
      const std::lock_guard lock(mutex_);
      ++under_way_;
    }
    const Clock::time_point begin = Clock::now();
    std::optional<Outcome> outcome;
    std::exception_ptr failure;
    try {
      outcome = work_.run(*run.plan, run.plan->algorithms.chosen[run.algorithm]);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --under_way_;
    if (failure) std::rethrow_exception(failure);
    SweepResult& result = plan_.document.runs[run.run];
    fill(result, *run.plan, *outcome);
    ++finished_;
    clock_.add(run, seconds_since(begin));
    // Once a line could not be written, the next would stand in its middle.
    if (journal_ == nullptr || is_journal_broken_) return;
    is_journal_broken_ = true;
    journal_->add(result, plan_.document);
    is_journal_broken_ = false;
  }

  bool is_to_give_up() {
    if (interruptions() == 0) return false;
    if (!first_interruption_) first_interruption_ = Clock::now();
    return interruptions() > 1 || Clock::now() - *first_interruption_ >= work_.patience;
  }

  int interruptions() const { return work_.interruptions ? work_.interruptions() : 0; }

  void show_progress() {
    if (watcher_ == nullptr) return;
    watcher_->progressed(finished_, static_cast<int>(plan_.runs.size()), seconds_since(begin_), clock_.seconds_left());
  }

  void report_interrupt() {
    if (interruptions() == 0 || std::exchange(has_reported_interrupt_, true)) return;
    if (watcher_ != nullptr) watcher_->interrupted(under_way_);
  }

  SweepPlan& plan_;
  SweepJournal* journal_;
  const SweepWork& work_;
  SweepClock clock_;
  SweepWatcher* watcher_;
  Clock::time_point begin_ = Clock::now();

  std::mutex mutex_;  ///< of all below, the document, the journal and the clock
  std::condition_variable changed_;
  int finished_ = 0;
  int under_way_ = 0;
  bool is_journal_broken_ = false;
  std::optional<Clock::time_point> first_interruption_;
  bool has_reported_interrupt_ = false;
  bool has_ended_ = false;
  std::exception_ptr failure_;  ///< what ended it
};

}  // namespace

SweepWork usual_work() {
  const auto machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  SweepWork work;
  work.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  work.memory = Bytes(static_cast<std::int64_t>(machine * 0.75));
  work.run = run_algorithm;
  return work;
}

void run_sweep(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, SweepWatcher* watcher,
               const std::function<void(const SweepEnd&)>& finish) {
  Session session(plan, journal, work, watcher);
  // This thread stays free to look at signals and the clock, unless the system has no other.
  std::optional<std::jthread> worker;
  try {
    worker.emplace([&] { session.work(); });
  } catch (const std::system_error&) {
    session.work();
  }
  session.watch(finish);
}

SweepDocument run(const Sweep& sweep) {
  SweepPlan plan = plan_sweep(sweep);
  std::string failure;
  run_sweep(plan, nullptr, usual_work(), nullptr, [&](const SweepEnd& end) { failure = end.failure; });
  if (!failure.empty()) throw Error(failure);
  return std::move(plan.document);
}

}  // namespace heddle
