// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <exception>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>  // before Asio: Boost 1.74's awaitable.hpp forgets it
#include <vector>

#include "emu/engine/make_engine.hpp"

// Its fences are what ThreadSanitizer does not understand; the lock below orders everything.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "emu/engine/event_queue.hpp"
#include "emu/engine/task_identity.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

using Steady = std::chrono::steady_clock;

constexpr double kPicosecondsPerNanosecond = 1e3;
/// A timer is never set for later than this: it is set again then.
constexpr std::chrono::hours kLongestSleep{1};
constexpr std::chrono::milliseconds kInterruptPoll{50};

class AsioWallClock final : public WallClock {
 public:
  AsioWallClock(WallClockSettings settings, std::function<bool()> interrupted)
      : settings_(std::move(settings)), interrupted_(std::move(interrupted)) {
    mutex_.lock();
  }

  ~AsioWallClock() override {
    if (client_ == nullptr) drain();  // it was never run: tasks have begun, and wait for that
    mutex_.unlock();
    for (Task& task : tasks_) {
      if (!task.thread.joinable()) continue;
      if (task.left_behind)
        join(task);
      else
        task.thread.join();
    }
  }

  Time now() const override { return now_; }

  TaskId start(std::uint64_t order, std::function<void()> body) override {
    const TaskId id = new_id();
    Task& task = tasks_[id];
    task.order = order;
    left_.reserve(tasks_.size());
    try {
      task.thread = std::thread([this, &task, id, body = std::move(body)] { run_task(task, id, body); });
    } catch (const std::system_error& error) {
      throw ResourceError(
          fmt::format("the system has no more kernel threads than {} for ranks ({}); the wall clock needs one for each",
                      tasks_.size() - 1, error.code().message()));
    }
    task.live = true;
    ++live_;
    ++running_;
    ++not_begun_;
    return id;
  }

  void block(TaskId self) override {
    act([&] { client_->take_pending(self); });
    --running_;
    conclude();
    await_slice(tasks_[self]);
    if (!stopped_) catch_up(Steady::now());
  }

  void leave_behind(TaskId self) override {
    mutex_.lock();
    Task& task = tasks_[self];
    task.left_behind = true;
    if (!stopped_) {
      catch_up(Steady::now());
      act([&] { client_->take_pending(self); });
      --live_;
      --running_;
      attempt([&] { free_ids_.push_back(self); });
    }
    task.live = false;
    conclude();
    unlock();
    task.gone.release();
    sleep_for_ever();
  }

  void wake(TaskId task) override {
    ++running_;
    woken_.push_back(&tasks_[task]);
  }

  void at(Time time, Alarm& alarm, std::uint64_t payload) override { queue_.push(time, {&alarm, payload}); }
  std::size_t alarms_set() const override { return queue_.size(); }

  Outcome run(EngineClient& client) override {
    client_ = &client;
    watch_deadline();
    watch_interrupts();
    unlock();
    const auto work = boost::asio::make_work_guard(io_);
    run_handlers();
    mutex_.lock();
    if (error_) std::rethrow_exception(error_);
    if (stopped_) return Outcome::stopped;
    return live_ == 0 ? Outcome::finished : Outcome::stuck;
  }

  void stop() override {
    stopped_ = true;
    io_.stop();
  }

  void drain() noexcept override {
    stopped_ = true;
    left_.clear();
    for (TaskId id = 0; id < tasks_.size(); ++id) {
      if (tasks_[id].live) left_.push_back(id);
    }
    std::sort(left_.begin(), left_.end(), [this](TaskId a, TaskId b) { return tasks_[a].order > tasks_[b].order; });
    for (const TaskId id : left_) {
      tasks_[id].may_leave = true;
      tasks_[id].slice.release();
      unlock();
      join(tasks_[id]);
      mutex_.lock();
    }
  }

  void enter(TaskId self) override {
    const Steady::time_point came = Steady::now();  // waiting for the lock is no work of the rank's
    mutex_.lock();
    if (!stopped_) catch_up(came);
    await_leave(tasks_[self]);
  }

  void leave() override {
    conclude();
    unlock();
  }

  void act(const std::function<void()>& operations) override {
    attempt([&operations] { operations(); });
  }

  void barrier(TaskId self) override {
    if (meetings_ > 1) return;
    meeting_.push_back(self);
    --running_;
    conclude();
    await_slice(tasks_[self]);
  }

  double dilation() const override { return settings_.dilation; }

  std::optional<RunStopped::Reason> stopped_by() const override { return stopped_by_; }

 private:
  struct Event {
    Alarm* alarm;
    std::uint64_t payload;
  };

  struct Task {
    std::thread thread;
    std::counting_semaphore<> slice{0};
    std::binary_semaphore gone{0};  ///< all that its thread will do is done
    std::uint64_t order = 0;
    bool live = false;
    bool may_leave = false;  ///< though the run has been stopped
    bool left_behind = false;
  };

  /// Whatever goes wrong while the lock is held ends the run, not the thread that happens to hold it.
  template <class Action>
  void attempt(const Action& action) noexcept {
    if (stopped_) return;
    try {
      action();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
      stop();
    }
  }

  /// On return, and whatever goes wrong, the lock is not held.
  void run_handlers() noexcept {
    try {
      io_.run();
    } catch (...) {  // the next poll, or the next deadline, could not be asked for
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop();
    }
  }

  // ---- tasks ----

  TaskId new_id() {
    if (!free_ids_.empty()) {
      const TaskId id = free_ids_.back();
      free_ids_.pop_back();
      join(tasks_[id]);  // it has ended, but for giving the lock back
      return id;
    }
    tasks_.emplace_back();
    return static_cast<TaskId>(tasks_.size() - 1);
  }

  static void join(Task& task) {
    task.gone.acquire();
    if (task.left_behind)
      task.thread.detach();
    else
      task.thread.join();
  }

  void run_task(Task& task, TaskId id, const std::function<void()>& body) {
    mutex_.lock();
    if (--not_begun_ == 0 && !settings_.waits_for_starting_line) start_clock();
    await_leave(task);
    conclude();
    if (client_ != nullptr) body();
    act([&] { client_->take_pending(id); });
    task.live = false;
    --live_;
    --running_;
    attempt([&] { free_ids_.push_back(id); });
    conclude();
    unlock();
    task.gone.release();
  }

  /// Gives the lock up until the task is woken, or may leave.
  void await_slice(Task& task) {
    unlock();
    task.slice.acquire();
    mutex_.lock();
  }

  /// If the run has been stopped.
  void await_leave(Task& task) {
    while (stopped_ && !task.may_leave) await_slice(task);
  }

  /// Those who were woken go on only now: they would find the lock taken.
  void unlock() {
    std::vector<Task*> woken;
    woken.swap(woken_);
    mutex_.unlock();
    for (Task* task : woken) task->slice.release();
  }

  // ---- the clock ----

  bool stands_still() const { return !begin_; }

  void start_clock() {
    if (begin_) return;
    set_clock(now_);
  }

  /// It is `now`.
  void set_clock(Time now) {
    begin_ = Steady::now();
    at_begin_ = now;
  }

  Time emulated(Steady::time_point time) const {
    if (!begin_ || time <= *begin_) return at_begin_;
    const double nanoseconds = std::chrono::duration<double, std::nano>(time - *begin_).count();
    return at_begin_ + Time::ps(static_cast<std::int64_t>(nanoseconds / settings_.dilation * kPicosecondsPerNanosecond));
  }

  /// When the wall clock reaches it, or the latest time that a timer is set for.
  Steady::time_point due(Time time) const {
    const double picoseconds = static_cast<double>((time - at_begin_).ps());
    const double nanoseconds = std::ceil(picoseconds / kPicosecondsPerNanosecond * settings_.dilation) + 1;
    const Steady::time_point latest = Steady::now() + kLongestSleep;
    if (nanoseconds >= std::chrono::duration<double, std::nano>(latest - *begin_).count()) return latest;
    return *begin_ + std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
  }

  /// All that is due by then happens, each at the time that it was set for.
  void catch_up(Steady::time_point time) {
    attempt([&] {
      const Time to = emulated(time);
      while (!stopped_ && !queue_.empty() && queue_.next() <= to) {
        now_ = queue_.next();
        finish_timestamp();
      }
      if (!stopped_) now_ = std::max(now_, to);
    });
  }

  void finish_timestamp() {
    bool is_unfinished = false;
    do {
      while (!stopped_ && has_event_now()) run_timers();
      act([&] { is_unfinished = client_->end_timestamp(); });
    } while (!stopped_ && (is_unfinished || has_event_now()));
  }

  bool has_event_now() const { return !queue_.empty() && queue_.next() <= now_; }

  void run_timers() {
    std::vector<Event> events;
    queue_.pop(events);
    for (const Event& event : events) act([&] { event.alarm->on_timer(event.payload); });
  }

  /// Before the lock is given back: what has been asked for has happened, and what comes next has been seen to.
  void conclude() {
    attempt([this] { see_to_what_comes(); });
  }

  void see_to_what_comes() {
    while (!stopped_) {
      finish_timestamp();
      if (stopped_ || running_ > 0) break;
      if (!meeting_.empty() && (stands_still() || queue_.empty())) {
        end_meeting();
      } else if (queue_.empty()) {
        return io_.stop();
      } else if (meetings_ > 1) {
        set_clock(queue_.next());
        now_ = queue_.next();
      } else {
        start_clock();
        break;
      }
    }
    if (!stopped_) set_timer();
  }

  void end_meeting() {
    ++meetings_;
    start_clock();
    for (const TaskId task : meeting_) wake(task);
    meeting_.clear();
  }

  // ---- timers ----

  void set_timer() {
    if (queue_.empty() || stands_still()) return;
    const Steady::time_point time = due(queue_.next());
    if (timer_is_set_ && timer_.expiry() <= time) return;
    timer_is_set_ = true;
    timer_.expires_at(time);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;  // it has been set anew
      mutex_.lock();
      timer_is_set_ = false;
      if (!stopped_) catch_up(Steady::now());
      conclude();
      unlock();
    });
  }

  void stop_because(RunStopped::Reason reason) {
    mutex_.lock();
    if (!stopped_ && !io_.stopped()) {  // else it has ended meanwhile
      stopped_by_ = reason;
      catch_up(Steady::now());
      stop();
    }
    unlock();
  }

  void watch_deadline() {
    if (!settings_.deadline_seconds) return;
    const auto after =
        std::min(*settings_.deadline_seconds, std::chrono::duration<double>(std::chrono::hours(24 * 365)).count());
    deadline_.expires_after(std::chrono::nanoseconds(static_cast<std::int64_t>(after * 1e9)));
    deadline_.async_wait([this](const boost::system::error_code&) { stop_because(RunStopped::Reason::deadline); });
  }

  void watch_interrupts() {
    if (!interrupted_) return;
    poll_.expires_after(kInterruptPoll);
    poll_.async_wait([this](const boost::system::error_code&) {
      if (interrupted_()) return stop_because(RunStopped::Reason::interrupted);
      watch_interrupts();
    });
  }

  const WallClockSettings settings_;
  const std::function<bool()> interrupted_;
  EngineClient* client_ = nullptr;

  std::mutex mutex_;  ///< of all below
  Time now_;          ///< of what is happening
  EventQueue<Event> queue_;
  std::optional<Steady::time_point> begin_;  ///< no value: the clock stands still
  Time at_begin_;                            ///< the emulated time then

  std::deque<Task> tasks_;  ///< by TaskId; a deque: a task's own thread holds a reference to it
  std::vector<TaskId> free_ids_;
  std::size_t live_ = 0;       ///< tasks that have not ended
  std::size_t running_ = 0;    ///< of them, those that are not blocked
  std::size_t not_begun_ = 0;  ///< of them, those whose threads are still to come
  std::vector<Task*> woken_;
  std::vector<TaskId> meeting_;
  int meetings_ = 0;  ///< that have ended

  std::vector<TaskId> left_;  ///< to be drained; room for all, as there may be no memory left then
  bool stopped_ = false;
  std::optional<RunStopped::Reason> stopped_by_;
  std::exception_ptr error_;

  boost::asio::io_context io_;
  boost::asio::steady_timer timer_{io_};  ///< for the next event
  bool timer_is_set_ = false;
  boost::asio::steady_timer deadline_{io_};
  boost::asio::steady_timer poll_{io_};
};

}  // namespace

std::unique_ptr<WallClock> make_wall_clock(WallClockSettings settings, std::function<bool()> interrupted) {
  return std::make_unique<AsioWallClock>(std::move(settings), std::move(interrupted));
}

}  // namespace heddle::emu
