// SPDX-License-Identifier: Apache-2.0
// Time and threads behind one interface: run these tasks; what time is it; call me at time t; block me; wake that one.
// No code outside an engine knows whether its time is virtual or real.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "emu/engine/tasks.hpp"
#include "emu/record/report.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

/// How long a run may take by its own clock. Times are 63 bits of picoseconds, 106 days: the latencies and the work that follow
/// must still fit.
inline constexpr Time kLatestTime = Time::ps(4'000'000'000'000'000'000);

/// Something that can be called at a time.
class Alarm {
 public:
  virtual void on_timer(std::uint64_t payload) = 0;
  /// on_timer(payload) comes soon: fetches into the cache what that will need. Each stage goes on from what the one before has
  /// fetched.
  static constexpr int kStages = 4;
  virtual void prefetch(std::uint64_t /*payload*/, int /*stage*/) const {}

 protected:
  ~Alarm() = default;
};

/// Whom the engine serves.
class EngineClient {
 public:
  /// `task` has stopped at a blocking point or its end: what it asked for since it last ran takes effect now.
  virtual void take_pending(TaskId task) = 0;
  /// Asked of each task that is due: true if the client has done what it was woken for, up to where it blocks again, and it
  /// need not run.
  virtual bool goes_on(TaskId /*task*/) { return false; }
  /// Asked of a task whose function has ended: whether the client goes on with it all the same, whenever it is due.
  virtual bool outlives_its_function(TaskId /*task*/) const { return false; }
  /// `task` runs soon: fetches into the cache what the client keeps for it. Stage 0, then 1, which goes on from what stage 0 has
  /// fetched.
  virtual void prefetch(TaskId /*task*/, int /*stage*/) const {}
  /// Whether nothing that tasks ask for at one timestamp can reach another task before all have stopped, but by waking it.
  /// The operations of one may then be taken before the next runs, while all that both work on is in the cache.
  virtual bool operations_stay_apart() const { return false; }
  /// Whether nothing that the client reports depends any more on the order in which tasks run at one timestamp. A task that
  /// its own operations have woken may then go on at once, while all that it works on is in the cache.
  virtual bool may_run_ahead() const { return false; }
  /// So many tasks are due, and no alarm is set. Whether all of them might do what they ask for together: see can_wait().
  virtual bool may_take_together(std::size_t /*tasks*/) const { return false; }
  /// Asked then of each task that has stopped, instead of take_pending(): whether what it asks for waits for the others.
  virtual bool can_wait(TaskId /*task*/) const { return false; }
  /// What all tasks ask for has waited, each since its time: now, or later. It takes effect as far as it goes, and each task goes on
  /// (Engine::go_on). False: nothing has happened, and take_pending() is still to be called for each at its time.
  virtual bool take_together(std::span<const TaskId> /*tasks*/, std::span<const Time> /*times*/) { return false; }
  /// Whether nobody can tell in which order tasks run that go on at different times. Then each may run before its time.
  virtual bool may_run_early() const { return false; }
  /// Nothing more happens at this timestamp unless this call makes it happen. Whether the call must be made again before time goes
  /// on: what it made happen has asked for more, though it woke no task and set no alarm.
  virtual bool end_timestamp() = 0;
  /// So many time slices have passed at this timestamp that the run is taken for one that never ends: these tasks, sorted, each once, had
  /// the last. The engine stops.
  virtual void goes_on_for_ever(std::span<const TaskId> /*tasks*/) {}
  /// In a directed run, asked of each task that is due: whether it is to wait. Then the client wakes it later on.
  virtual bool holds_back(TaskId /*task*/) { return false; }
  /// No event is left. Lets go what was held back, one thing of a directed run; false if there is none.
  virtual bool release() { return false; }

 protected:
  ~EngineClient() = default;
};

/// Of an engine whose tasks run while events happen: what keeps them apart. A task is inside while it uses what belongs to the
/// run, and outside while it runs its rank's own code.
class TaskGuard {
 public:
  /// On task `self`'s own thread: takes the lock, and lets happen what is due. If the run has been stopped, returns only when
  /// the task may leave: then its client knows that the run is being given up.
  virtual void enter(TaskId self) = 0;
  /// Everything that the task has asked for takes effect, and the lock is given back.
  virtual void leave() = 0;
  /// `operations`, inside: if it throws, the run is stopped and run() throws that.
  virtual void act(const std::function<void()>& operations) = 0;

 protected:
  ~TaskGuard() = default;
};

/// Everything but block() and barrier() is called from the engine's own thread: before run(), or from within a client's or an
/// alarm's call.
class Engine {
 public:
  enum class Outcome : std::uint8_t {
    finished,  ///< every task has ended and no event is left
    stuck,     ///< no event is left, but tasks are blocked
    stopped,   ///< stop() was called
  };

  virtual ~Engine() = default;

  virtual Time now() const = 0;

  /// A task that runs from now on. Of those runnable at one timestamp, operations are taken in the order of `order`.
  virtual TaskId start(std::uint64_t order, std::function<void()> body) = 0;
  /// Called by task `self`: returns once it has been woken.
  virtual void block(TaskId self) = 0;
  virtual void wake(TaskId task) = 0;
  /// alarm.on_timer(payload) at `time` ≥ now. Of one timestamp, in the order of the calls.
  virtual void at(Time time, Alarm& alarm, std::uint64_t payload) = 0;
  /// How many have been set, and have not rung. Not to be asked often.
  virtual std::size_t alarms_set() const { return 0; }
  /// Within EngineClient::take_together(), of each of its tasks: it goes on at `time` ≥ now. Until then nothing else happens.
  virtual void go_on(TaskId /*task*/, Time /*time*/) {}

  virtual Outcome run(EngineClient& client) = 0;
  /// Makes run() return before anything else happens.
  virtual void stop() = 0;
  /// After run() has not finished: lets every task that has not ended run to its end, as fast as it can. block() must make it
  /// leave. Later `order` first: a branch uses what its rank has on its stack, so it must be gone before. Needs no memory.
  virtual void drain() noexcept = 0;
  /// Called by task `self`, not inside of the guard: as Tasks has it. While drain() waits for it, nothing more is asked of the client.
  [[noreturn]] virtual void leave_behind(TaskId self) = 0;

  /// Whether somebody may want the run to stop, and does: a task asks at each of its calls, on its own thread. From then on run()
  /// stops before the next time slice; the task blocks, as it would have none.
  virtual bool is_stoppable() const { return false; }
  virtual bool is_to_stop() { return false; }
  /// For long work within one timestamp: once true it stays so, run() stops, and what is half done is not looked at.
  bool asks_to_stop() { return is_stoppable() && is_to_stop(); }
  /// Why run() has stopped, if nobody called stop().
  virtual std::optional<RunStopped::Reason> stopped_by() const { return std::nullopt; }

  // ---- of an engine whose time is real ----

  /// Whether what ranks compute takes time by itself.
  virtual bool is_real_time() const { return false; }
  /// Wall time per emulated time; 0: the two have nothing to do with each other.
  virtual double dilation() const { return 0; }
  /// nullptr: tasks do not run while events happen. Outside of it a task uses nothing that belongs to the run.
  virtual TaskGuard* guard() { return nullptr; }
  /// Called by task `self`. Where tasks disturb each other by what they compute: blocks until every task is blocked and nothing
  /// is left to happen. Elsewhere returns at once.
  virtual void barrier(TaskId /*self*/) {}
};

/// Integer picoseconds that jump from event to event. `order_seed` permutes the order of operations at each timestamp. A
/// directed run asks its client what to hold back. More time slices at one timestamp than `most_slices_at_once`, and 100,000
/// for each task, are endless. Once `interrupted` says so, the run stops before the next time slice of a task; tasks ask it
/// too, side by side if they run so.
std::unique_ptr<Engine> make_virtual_clock(std::unique_ptr<Tasks> tasks, std::optional<std::uint64_t> order_seed,
                                           bool is_directed = false, std::int64_t most_slices_at_once = 10'000'000,
                                           std::function<bool()> interrupted = {});

}  // namespace heddle::emu
