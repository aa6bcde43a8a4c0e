// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep/sweep_runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "cli/sweep/budgeted_tasks.hpp"
#include "cli/sweep/interrupt.hpp"
#include "cli/sweep/sweep_progress.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

SweepMeasurement measurement_of(const RunPlan& plan, const Report& report) {
  const Rates rates = rates_of(plan, report);
  SweepMeasurement measured;
  measured.time = report.completion;
  measured.algbw = rates.algbw;
  measured.busbw = rates.busbw;
  measured.rounds = report.rounds_max();
  measured.messages = report.messages();
  measured.sent_max = report.sent_max();
  measured.peak_flows = peak_flows(report);
  measured.path = report.critical_path.parts;
  measured.contention_free = report.contention_free;
  measured.payload_scale = report.payload_scale;
  if (report.switch_precision) measured.switch_precision = to_string(*report.switch_precision);
  return measured;
}

void fill(SweepResult& result, const RunPlan& plan, const RunOutcome& outcome) {
  if (const Report* report = outcome.report()) result.measured = measurement_of(plan, *report);
  if (const Failure* failure = outcome.failure()) result.failure = SweepFailure{to_string(failure->kind), failure->explanation};
}

/// What the threads of a sweep share.
class Session {
 public:
  Session(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, std::ostream& err)
      : plan_(plan), journal_(journal), work_(work), clock_(plan, work.workers), bar_(err), err_(err) {}

  /// All of it, on this thread and oneTBB's.
  void work() {
    std::string failure;
    try {
      run_within_budget(tasks(), work_.workers, work_.memory, [] { return InterruptGuard::count() > 0; });
    } catch (const std::bad_alloc&) {
      failure = "out of memory; a smaller --memory or --jobs runs fewer at once, a smaller --payload needs less";
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    end_.failure = std::move(failure);
    has_ended_ = true;
    changed_.notify_all();
  }

  /// Until all has ended or is to be given up. Then calls `finish`, with the document held.
  void watch(const std::function<void(const SweepEnd&)>& finish) {
    constexpr std::chrono::milliseconds kTick(200);  // signals and the bar are looked at so often
    std::unique_lock lock(mutex_);
    while (!has_ended_ && InterruptGuard::count() < 2) {
      show_progress();
      tell_interrupt();
      changed_.wait_for(lock, kTick);
    }
    bar_.clear();
    end_.is_interrupted = InterruptGuard::count() > 0;
    end_.has_abandoned = !has_ended_;
    finish(end_);
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
    std::optional<RunOutcome> outcome;
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

  void show_progress() {
    bar_.show(progress_text(finished_, static_cast<int>(plan_.runs.size()), seconds_since(begin_), clock_.seconds_left()));
  }

  void tell_interrupt() {
    if (InterruptGuard::count() == 0 || std::exchange(has_told_interrupt_, true)) return;
    bar_.clear();
    err_ << fmt::format("heddle: interrupted; ending the {} run{} under way (Ctrl-C again gives up on that)\n", under_way_,
                        under_way_ == 1 ? "" : "s")
         << std::flush;
  }

  SweepPlan& plan_;
  SweepJournal* journal_;
  const SweepWork& work_;
  SweepClock clock_;
  ProgressBar bar_;
  std::ostream& err_;
  Clock::time_point begin_ = Clock::now();

  std::mutex mutex_;  ///< of all below, the document, the journal and the clock
  std::condition_variable changed_;
  int finished_ = 0;
  int under_way_ = 0;
  bool is_journal_broken_ = false;
  bool has_told_interrupt_ = false;
  bool has_ended_ = false;
  SweepEnd end_;
};

}  // namespace

void run_sweep(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, std::ostream& err,
               const std::function<void(const SweepEnd&)>& finish) {
  const InterruptGuard guard;
  Session session(plan, journal, work, err);
  // This thread stays free to look at signals and the clock.
  std::thread worker([&] { session.work(); });
  session.watch(finish);
  worker.join();
}

}  // namespace heddle
