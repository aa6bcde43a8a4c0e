// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_runner.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/record/memory_estimate.hpp"
#include "heddle/errors.hpp"
#include "lab/run/tasks_ahead.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr std::chrono::milliseconds kTick(100);       // signals and the bar are looked at so often
constexpr std::chrono::milliseconds kMessageTick(1);  // and what other processes say

/// How far a sweep is. What is left is guessed from how long each algorithm took on the same fabric, and for one that has not
/// ended yet from its cost. Not thread-safe.
class SweepClock {
 public:
  SweepClock(const SweepPlan& plan, int workers) : plan_(plan), workers_(workers) {}

  void add(const PlannedRun& run, double seconds) {
    for (Spent* spent : {&all_, &by_kind_[kind_of(run)]}) {
      spent->seconds += seconds;
      spent->cost += run.cost.seconds;
    }
  }

  /// Of the runs without a result, in seconds, run by all workers; no value before the first has ended.
  std::optional<double> seconds_left() const {
    if (all_.cost == 0) return std::nullopt;
    double seconds = 0;
    double longest = 0;
    for (const PlannedRun& run : plan_.runs) {
      if (is_finished(plan_.document.runs[run.run])) continue;
      const auto kind = by_kind_.find(kind_of(run));
      const Spent& spent = kind == by_kind_.end() ? all_ : kind->second;
      const double guess = run.cost.seconds * spent.seconds / spent.cost;
      seconds += guess;
      longest = std::max(longest, guess);
    }
    return std::max(longest, seconds / workers_);
  }

 private:
  struct Spent {
    double seconds = 0;
    double cost = 0;
  };

  std::string kind_of(const PlannedRun& run) const {
    const SweepResult& result = plan_.document.runs[run.run];
    return result.algorithm + '\n' + result.fabric;
  }

  const SweepPlan& plan_;
  int workers_;
  Spent all_;
  std::unordered_map<std::string, Spent> by_kind_;
};

/// What the threads of a sweep share.
class Session {
 public:
  Session(SweepPlan& plan, SweepJournal* journal, const SweepWork& work, SweepWatcher* watcher)
      : plan_(plan),
        journal_(journal),
        work_(work),
        clock_(plan, work.workers + (work.processes != nullptr ? work.processes->workers() : 0)),
        watcher_(watcher),
        is_begun_(plan.runs.size()) {
    for (const PlannedRun& run : plan.runs) {
      is_begun_[run.run] = is_finished(plan.document.runs[run.run]);
      if (is_begun_[run.run])
        ++finished_;
      else
        in_order_.push_back(&run);
    }
    // Small sizes first: of a sweep that is ended early, they are complete. Of a size, the most expensive first, lest it ends last.
    std::ranges::stable_sort(in_order_, {}, [&](const PlannedRun* run) {
      return std::pair(plan.document.runs[run->run].bytes, -run->cost.seconds);
    });
  }

  /// All of it, on this thread and oneTBB's.
  void work() {
    std::exception_ptr failure;
    try {
      run_within_budget(tasks(), work_.workers, work_.memory, [this] { return is_stopped_ || interruptions() > 0; });
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure) stop(stop_of(failure));
    has_ended_here_ = true;
    changed_.notify_all();
  }

  /// Until all has ended or is to be given up. Then calls `finish`, with the document held.
  void watch(const std::function<void(const SweepEnd&)>& finish) {
    std::unique_lock lock(mutex_);
    while (true) {
      deal();
      if (has_ended() || is_to_give_up()) break;
      show_progress();
      report_interrupt();
      if (work_.processes != nullptr)
        changed_.wait_for(lock, kMessageTick);
      else
        changed_.wait_for(lock, kTick);
    }
    if (watcher_ != nullptr) watcher_->ended();
    SweepEnd end;
    if (stop_) {
      end.failure = stop_->text;
      end.is_refused = stop_->is_refused;
    }
    end.is_interrupted = interruptions() > 0;
    end.has_abandoned = !has_ended();
    finish(end);
  }

 private:
  std::vector<BudgetedTask> tasks() {
    std::vector<BudgetedTask> tasks;
    auto before = static_cast<double>(in_order_.size());
    for (const PlannedRun* run : in_order_) tasks.push_back({before--, run->cost.memory, [this, run] { make(*run); }});
    return tasks;
  }

  /// Unless another process has begun it.
  void make(const PlannedRun& run) {
    SweepResult planned;
    {
      const std::lock_guard lock(mutex_);
      if (is_begun_[run.run]) return;
      is_begun_[run.run] = true;
      ++under_way_;
      planned = plan_.document.runs[run.run];
    }
    const Clock::time_point begin = Clock::now();
    std::optional<SweepResult> result;
    std::exception_ptr failure;
    try {
      result = make_run(run, work_.run, std::move(planned));
    } catch (const RunStopped&) {  // the next time it begins anew
      if (interruptions() == 0) failure = std::current_exception();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --under_way_;
    if (failure) std::rethrow_exception(failure);
    if (!result) return;
    keep(run, *std::move(result), seconds_since(begin));
  }

  void keep(const PlannedRun& run, SweepResult result, double seconds) {
    SweepResult& place = plan_.document.runs[run.run];
    place = std::move(result);
    ++finished_;
    clock_.add(run, seconds);
    // Once a line could not be written, the next would stand in its middle.
    if (journal_ == nullptr || is_journal_broken_) return;
    is_journal_broken_ = true;
    journal_->add(place, plan_.document);
    is_journal_broken_ = false;
  }

  /// Takes what the other processes have made, and gives more to those that have room.
  void deal() {
    if (work_.processes == nullptr || has_lost_processes_) return;
    std::vector<SweepAnswer> answers;
    try {
      answers = work_.processes->answers();
      if (!answers.empty() || !has_dealt_) give();
      has_dealt_ = true;
    } catch (const std::exception&) {
      has_lost_processes_ = true;
      stop(stop_of(std::current_exception()));
    }
    for (SweepAnswer& answer : answers) take(answer);
  }

  void take(SweepAnswer& answer) {
    if (!answer.result) return stop(answer.stop);
    try {
      keep(plan_.runs[answer.run], *std::move(answer.result), answer.seconds);
    } catch (const std::exception&) {
      stop(stop_of(std::current_exception()));
    }
  }

  void give() {
    while (next_ < in_order_.size() && is_begun_[in_order_[next_]->run]) ++next_;
    for (std::size_t i = next_; i < in_order_.size() && work_.processes->have_room(); ++i) {
      if (is_stopped_ || interruptions() > 0) return;
      const PlannedRun& run = *in_order_[i];
      if (!is_begun_[run.run]) is_begun_[run.run] = work_.processes->give(run);
    }
  }

  /// The first is the sweep's.
  void stop(SweepStop why) {
    if (!stop_) stop_ = std::move(why);
    is_stopped_ = true;
  }

  bool has_ended() const { return has_ended_here_ && (has_lost_processes_ || processes_under_way() == 0); }
  int processes_under_way() const { return work_.processes != nullptr ? work_.processes->under_way() : 0; }

  bool is_to_give_up() {
    if (interruptions() == 0) return false;
    if (!first_interruption_) first_interruption_ = Clock::now();
    return interruptions() > 1 || Clock::now() - *first_interruption_ >= work_.patience;
  }

  int interruptions() const { return work_.interruptions ? work_.interruptions() : 0; }

  void show_progress() {
    const Clock::time_point now = Clock::now();
    if (watcher_ == nullptr || now < next_progress_) return;
    next_progress_ = now + kTick;
    watcher_->progressed(finished_, static_cast<int>(plan_.runs.size()), seconds_since(begin_), clock_.seconds_left());
  }

  void report_interrupt() {
    if (interruptions() == 0 || std::exchange(has_reported_interrupt_, true)) return;
    if (watcher_ != nullptr) watcher_->interrupted(under_way_ + processes_under_way());
  }

  SweepPlan& plan_;
  SweepJournal* journal_;
  const SweepWork& work_;
  SweepClock clock_;
  SweepWatcher* watcher_;
  std::vector<const PlannedRun*> in_order_;  ///< those without a result, as they are begun
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> is_stopped_ = false;  ///< no more are begun

  std::mutex mutex_;  ///< of all below, the document, the journal, the clock and the other processes
  std::condition_variable changed_;
  std::vector<bool> is_begun_;  ///< by run, here or elsewhere
  std::size_t next_ = 0;        ///< the first of in_order_ that may not be begun
  int finished_ = 0;
  int under_way_ = 0;  ///< here
  bool is_journal_broken_ = false;
  Clock::time_point next_progress_ = begin_;
  std::optional<Clock::time_point> first_interruption_;
  bool has_reported_interrupt_ = false;
  bool has_ended_here_ = false;
  bool has_dealt_ = false;
  bool has_lost_processes_ = false;  ///< the network has failed
  std::optional<SweepStop> stop_;    ///< what ended it
};

}  // namespace

SweepWork usual_work() {
  SweepWork work;
  work.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  work.memory = Bytes(machine_memory().count() / 4 * 3);
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
