// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <set>
#include <utility>
#include <vector>

#include "core/mix.hpp"
#include "core/pair_key.hpp"
#include "emu/engine/engine.hpp"
#include "emu/engine/event_queue.hpp"
#include "emu/engine/tasks.hpp"

namespace heddle::emu {

namespace {

/// While it lives, a signal handler can see what time it is. A task may run an emulation of its own.
class ShownTime {
 public:
  explicit ShownTime(const Time& now) : before_(std::exchange(emulated_time, &now)) {}
  ShownTime(const ShownTime&) = delete;
  ShownTime& operator=(const ShownTime&) = delete;
  ~ShownTime() { emulated_time = before_; }

 private:
  const Time* before_;
};

class VirtualClock final : public Engine, private Alarm {
 public:
  VirtualClock(std::unique_ptr<Tasks> tasks, std::optional<std::uint64_t> order_seed, bool is_directed,
               std::int64_t most_slices_at_once, std::function<bool()> interrupted)
      : tasks_(std::move(tasks)),
        order_seed_(order_seed),
        is_directed_(is_directed),
        most_slices_at_once_(most_slices_at_once),
        interrupted_(std::move(interrupted)) {}

  Time now() const override { return now_; }

  TaskId start(std::uint64_t order, std::function<void()> body) override {
    const TaskId task = tasks_->create(std::move(body), first_of_pair(order));
    if (task >= order_.size()) {
      order_.resize(task + 1);
      live_.resize(task + 1);
      left_.reserve(order_.capacity());
    }
    order_[task] = order;
    live_[task] = true;
    ++live_count_;
    runnable_.push_back(task);
    as_woken_.clear();
    return task;
  }

  void block(TaskId self) override { tasks_->block(self); }
  void leave_behind(TaskId self) override { tasks_->leave_behind(self); }

  void wake(TaskId task) override {
    if (task == ahead_)
      ahead_goes_on_ = true;
    else
      runnable_.push_back(task);
  }

  void at(Time time, Alarm& alarm, std::uint64_t payload) override { queue_.push(time, {&alarm, payload}); }
  std::size_t alarms_set() const override { return queue_.size(); }
  void go_on(TaskId task, Time time) override {
    going_on_.push_back(task);
    their_times_.push_back(time);
  }

  Outcome run(EngineClient& client) override {
    const ShownTime shown(now_);
    while (!stopped_ && !is_interrupted()) {
      if (!going_on_.empty()) {
        let_go_on(client);
      } else if (!runnable_.empty()) {
        if (client.may_run_ahead() && !tasks_->side_by_side())
          run_ahead(client);
        else
          run_runnable(client);
      } else if (!queue_.empty() && queue_.next() == now_) {
        run_timers();
      } else {
        const bool is_unfinished = client.end_timestamp();
        if (is_unfinished || !runnable_.empty() || (!queue_.empty() && queue_.next() == now_)) continue;
        if (queue_.empty()) {
          if (client.release()) continue;
          return live_count_ == 0 ? Outcome::finished : Outcome::stuck;
        }
        now_ = queue_.next();
        slices_at_once_ = 0;
      }
    }
    return Outcome::stopped;
  }

  void stop() override { stopped_ = true; }
  bool is_stoppable() const override { return interrupted_ != nullptr; }
  bool is_to_stop() override {
    if (!is_asked_to_stop_ && interrupted_()) is_asked_to_stop_ = true;
    return is_asked_to_stop_;
  }
  std::optional<RunStopped::Reason> stopped_by() const override { return stopped_by_; }

  void drain() noexcept override {
    left_.clear();
    for (TaskId task = 0; task < live_.size(); ++task) {
      if (live_[task]) left_.push_back(task);
    }
    // One at a time: what they unwind may be shared between tasks of a rank.
    std::sort(left_.begin(), left_.end(), [this](TaskId a, TaskId b) { return order_[a] > order_[b]; });
    for (const TaskId task : left_) {
      while (!tasks_->has_ended(task) && !tasks_->forgo(task)) tasks_->run(std::span(&task, 1));
    }
  }

 private:
  static constexpr TaskId kNone = ~TaskId{0};
  /// One that runs ahead leaves messages for the next, which take memory.
  static constexpr int kMostSlices = 32;

  struct Event {
    Alarm* alarm;
    std::uint64_t payload;
  };

  bool is_interrupted() {
    if (!interrupted_ || !is_to_stop()) return false;
    stopped_by_ = RunStopped::Reason::interrupted;
    stopped_ = true;
    return true;
  }

  void take_batch(EngineClient& client) {
    batch_.clear();
    batch_.swap(runnable_);
    put_in_order(batch_);
    ++batches_;
    slices_at_once_ += static_cast<std::int64_t>(batch_.size());
    if (slices_at_once_ > most_slices_at_once_) [[unlikely]]
      note_endless(client);
    if (is_directed_) std::erase_if(batch_, [&client](TaskId task) { return client.holds_back(task); });
  }

  /// Past the limit, who has time slices still is noted for a while.
  void note_endless(EngineClient& client) {
    constexpr std::int64_t kSlicesOfEach = 100'000;
    constexpr std::int64_t kNoted = 10'000;
    const std::int64_t limit = most_slices_at_once_ + kSlicesOfEach * static_cast<std::int64_t>(live_count_);
    if (slices_at_once_ <= limit) return;
    endless_.insert(batch_.begin(), batch_.end());
    if (slices_at_once_ <= limit + kNoted) return;
    client.goes_on_for_ever(std::vector<TaskId>(endless_.begin(), endless_.end()));
    stopped_ = true;
  }

  void run_runnable(EngineClient& client) {
    take_batch(client);
    if (stopped_) return;
    std::size_t have_run = 0;
    go_through_batch(
        client, [&](std::size_t i) { have_run = run_at_least(i + 1, have_run, client); },
        [&](TaskId task) { return take_from(task, client); });
  }

  /// slice(i): the i-th of the batch has had its time slice. take(task): what it asks for takes effect; false: the run has stopped. That
  /// waits for the last of them as long as it can.
  template <class Slice, class Take>
  void go_through_batch(EngineClient& client, const Slice& slice, const Take& take) {
    const bool may_wait = may_take_together(client);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (is_interrupted()) return;
      slice(i);
      if (may_wait && taken == 0 && client.can_wait(batch_[i])) continue;
      for (; taken <= i; ++taken) {
        if (!take(batch_[taken])) return;
      }
    }
    if (taken == batch_.size() || client.take_together(batch_, times_of_now())) return;
    for (const TaskId task : batch_) {
      if (!take(task)) return;
    }
  }

  std::span<const Time> times_of_now() {
    times_.assign(batch_.size(), now_);
    return times_;
  }

  /// Tasks go on, each at its time. None sees what another does until that takes effect: where the client lets them, all have their time
  /// slice at once, and what they ask for may wait again.
  void let_go_on(EngineClient& client) {
    batch_.swap(going_on_);
    times_.swap(their_times_);
    going_on_.clear();
    their_times_.clear();
    const auto [first, last] = std::ranges::minmax(times_);
    if (first == last) {
      now_ = first;
      slices_at_once_ = 0;
      runnable_.swap(batch_);
      return;
    }
    const bool run_early = client.may_run_early();
    bool all_wait = run_early;
    for (std::size_t i = 0; run_early && i < batch_.size(); ++i) {
      if (is_interrupted()) return;
      look_ahead(i, client);
      now_ = times_[i];
      take_slice(batch_[i], client);
      all_wait = all_wait && client.can_wait(batch_[i]);
    }
    now_ = first;
    if (all_wait && client.take_together(batch_, times_)) return;
    has_run_.resize(live_.size());
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      has_run_[batch_[i]] = run_early;
      at(times_[i], *this, batch_[i]);
    }
  }

  /// A task's time has come.
  void on_timer(std::uint64_t task) override { runnable_.push_back(static_cast<TaskId>(task)); }

  /// Whether a task has had the time slice that it is due for.
  bool has_run(TaskId task) {
    if (task >= has_run_.size() || !has_run_[task]) return false;
    has_run_[task] = false;
    return true;
  }

  bool may_take_together(const EngineClient& client) const {
    return queue_.empty() && runnable_.empty() && client.may_take_together(batch_.size());
  }

  /// What a task asks for takes effect. False: the run has stopped.
  bool take_from(TaskId task, EngineClient& client) {
    client.take_pending(task);
    if (stopped_) return false;
    if (tasks_->has_ended(task) && !client.outlives_its_function(task)) release(task);
    return true;
  }

  /// Of the batch, `have_run` have run. Lets one more if that is less than `least`, and all as soon as their operations might
  /// meet.
  std::size_t run_at_least(std::size_t least, std::size_t have_run, EngineClient& client) {
    const bool one_at_a_time = !tasks_->side_by_side();
    if (have_run < least && one_at_a_time && client.operations_stay_apart()) {
      look_ahead(have_run, client);
      take_slice(batch_[have_run++], client);
    }
    if (one_at_a_time && client.operations_stay_apart()) return have_run;
    running_.clear();
    for (const TaskId task : std::span(batch_).subspan(have_run)) {
      if (!has_run(task) && !client.goes_on(task)) running_.push_back(task);
    }
    if (!running_.empty()) tasks_->run(running_);
    return batch_.size();
  }

  void take_slice(TaskId task, EngineClient& client) {
    if (has_run(task)) return;
    tasks_run_ = !client.goes_on(task);
    if (tasks_run_) tasks_->run(std::span(&task, 1));
  }

  /// Thousands of tasks fit no cache: what the client keeps for those that come after the i-th of the batch is fetched while it runs, and
  /// their stacks. Tasks whose steps the client takes do not run themselves, and are alike as a rule.
  void look_ahead(std::size_t i, const EngineClient& client) const {
    constexpr std::size_t kAhead = 4;  // as long as a fetch from memory takes
    if (i + 2 * kAhead < batch_.size()) client.prefetch(batch_[i + 2 * kAhead], 0);
    if (i + kAhead < batch_.size()) client.prefetch(batch_[i + kAhead], 1);
    if (!tasks_run_) return;
    if (i + 2 * kAhead < batch_.size()) tasks_->prefetch(batch_[i + 2 * kAhead], 0);
    if (i + kAhead < batch_.size()) tasks_->prefetch(batch_[i + kAhead], 1);
  }

  /// One task after the other, each as far as it can. What passes from rank to rank passes to later ranks or to earlier ones:
  /// every other time the last go first, so that either way there is much to be taken at a time.
  void run_ahead(EngineClient& client) {
    take_batch(client);
    if (stopped_) return;
    if (batches_ % 2 == 0) std::reverse(batch_.begin(), batch_.end());
    const auto slice = [&](std::size_t i) {
      look_ahead(i, client);
      take_slice(batch_[i], client);
    };
    go_through_batch(client, slice, [&](TaskId task) { return go_ahead(task, client); });
  }

  /// One that has had a time slice goes on as far as it can. False: the run has stopped.
  bool go_ahead(TaskId task, EngineClient& client) {
    ahead_ = task;
    int slices = 1;
    for (;;) {
      ahead_goes_on_ = false;
      client.take_pending(task);
      if (stopped_) return false;
      if (!ahead_goes_on_ || slices == kMostSlices) break;
      if (is_interrupted()) return false;
      take_slice(task, client);
      ++slices;
    }
    slices_at_once_ += slices;
    ahead_ = kNone;
    if (ahead_goes_on_) runnable_.push_back(task);
    if (tasks_->has_ended(task) && !client.outlives_its_function(task)) release(task);
    return true;
  }

  void release(TaskId task) {
    live_[task] = false;
    --live_count_;
    tasks_->release(task);
  }

  void run_timers() {
    constexpr std::size_t kAlarms = 1024;  // between two questions whether to stop
    queue_.pop(events_);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (i % kAlarms == kAlarms - 1 && is_interrupted()) return;
      look_ahead_to_timers(i);
      events_[i].alarm->on_timer(events_[i].payload);
      if (stopped_) return;
    }
  }

  /// As look_ahead(), for what the events after the i-th need. They are shorter than time slices.
  void look_ahead_to_timers(std::size_t i) const {
    constexpr std::size_t kAhead = 8;
    for (int stage = 0; stage < Alarm::kStages; ++stage) {
      const std::size_t later = i + kAhead * static_cast<std::size_t>(Alarm::kStages - stage);
      if (later < events_.size()) events_[later].alarm->prefetch(events_[later].payload, stage);
    }
  }

  void put_in_order(std::vector<TaskId>& batch) {
    if (!order_seed_) return put_in_usual_order(batch);
    // Mixed twice: seed 2's first timestamp must not be seed 1's second.
    const std::uint64_t salt = mix(mix(*order_seed_) + batches_);
    const auto key = [this, salt](TaskId task) { return mix(salt ^ order_[task]); };
    std::sort(batch.begin(), batch.end(), [&key](TaskId a, TaskId b) { return key(a) < key(b); });
  }

  /// In lockstep the same tasks wake in the same order at timestamp after timestamp: the last order is kept.
  void put_in_usual_order(std::vector<TaskId>& batch) {
    const auto before = [this](TaskId a, TaskId b) { return order_[a] < order_[b]; };
    if (std::is_sorted(batch.begin(), batch.end(), before)) return;
    if (batch == as_woken_) {
      batch = in_order_;
      return;
    }
    as_woken_ = batch;
    std::sort(batch.begin(), batch.end(), before);
    in_order_ = batch;
  }

  std::unique_ptr<Tasks> tasks_;
  std::optional<std::uint64_t> order_seed_;
  bool is_directed_;
  std::int64_t most_slices_at_once_;
  std::function<bool()> interrupted_;
  std::int64_t slices_at_once_ = 0;  ///< of tasks, at this timestamp
  std::set<TaskId> endless_;         ///< tasks that had time slices when it had become endless
  Time now_;
  std::vector<std::uint64_t> order_;  ///< by task
  std::vector<bool> live_;            ///< by task: started and not ended
  std::vector<TaskId> left_;          ///< to be drained; room for all, as there may be no memory left then
  std::size_t live_count_ = 0;
  std::vector<TaskId> runnable_;
  std::vector<TaskId> batch_;
  std::vector<TaskId> running_;   ///< of the batch, those that the client leaves to the tasks
  std::vector<TaskId> as_woken_;  ///< the batch last sorted, before; empty once a task has begun, which may have its number
  std::vector<TaskId> in_order_;  ///< and after
  EventQueue<Event> queue_;
  std::vector<Event> events_;
  std::vector<TaskId> going_on_;   ///< by go_on()
  std::vector<Time> their_times_;  ///< and when
  std::vector<Time> times_;        ///< of the batch
  std::vector<bool> has_run_;      ///< by task: it has had the time slice that it is due for
  std::uint64_t batches_ = 0;
  TaskId ahead_ = kNone;  ///< runs ahead
  bool ahead_goes_on_ = false;
  bool tasks_run_ = false;  ///< the last time slice was a task's own
  bool stopped_ = false;
  std::atomic<bool> is_asked_to_stop_ = false;
  std::optional<RunStopped::Reason> stopped_by_;
};

}  // namespace

std::unique_ptr<Engine> make_virtual_clock(std::unique_ptr<Tasks> tasks, std::optional<std::uint64_t> order_seed,
                                           bool is_directed, std::int64_t most_slices_at_once,
                                           std::function<bool()> interrupted) {
  return std::make_unique<VirtualClock>(std::move(tasks), order_seed, is_directed, most_slices_at_once, std::move(interrupted));
}

}  // namespace heddle::emu
