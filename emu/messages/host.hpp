// SPDX-License-Identifier: Apache-2.0
// What communicators ask of the run that they belong to. emu/run implements it; what every message needs is here at hand,
// without a virtual call.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "emu/engine/engine.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "heddle/datatype.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

// What a rank's own doings cost in emulated time, and its bytes on the wire.

class RankCosts {
 public:
  /// `byte_scale`: bytes on the wire per real byte. `is_real_time`: what ranks compute takes time by itself.
  RankCosts(const FabricSettings& fabric, double byte_scale, bool is_real_time)
      : alpha_(fabric.alpha),
        send_overhead_(fabric.send_overhead),
        recv_overhead_(fabric.recv_overhead),
        gamma_(fabric.gamma),
        payload_scale_(byte_scale),
        is_real_time_(is_real_time) {}

  Time alpha() const { return alpha_; }
  Time send_overhead() const { return send_overhead_; }
  Time recv_overhead() const { return recv_overhead_; }
  bool charges_overhead() const { return send_overhead_ > Time() || recv_overhead_ > Time(); }
  double byte_scale() const { return payload_scale_; }
  bool is_real_time() const { return is_real_time_; }

  /// γ for this many real bytes.
  Time local_work(std::size_t bytes) const {
    if (gamma_ == 0) return Time();
    return Time::from_seconds(gamma_ * static_cast<double>(bytes) * payload_scale_);
  }
  std::int64_t wire_bytes(std::size_t bytes) const {
    return payload_scale_ == 1 ? static_cast<std::int64_t>(bytes) : std::llround(static_cast<double>(bytes) * payload_scale_);
  }

  /// Whether nothing that a rank does by itself takes time: the engine may then take the steps of schedules in its place.
  bool are_none() const { return !is_real_time_ && !charges_overhead() && gamma_ == 0; }

 private:
  Time alpha_;
  Time send_overhead_;
  Time recv_overhead_;
  double gamma_;
  double payload_scale_;
  bool is_real_time_;
};

class RecordSink;

/// Each function is called on the thread of the task that it names, and where the engine has a guard, inside of it.
class Host : private TaskOwner {
 public:
  /// Thrown through a rank's function to end it once the run has failed elsewhere.
  struct Released {};

  /// All of them outlive the host.
  Host(Engine& engine, SharedPlans& plans, TaskTable& tasks, MessageStore& messages, const RankCosts& costs, bool sees_phases,
       bool minds_room = false, RecordSink* poisoner = nullptr, bool lends_memory = true)
      : engine_(engine),
        plans_(plans),
        tasks_(tasks),
        messages_(messages),
        costs_(costs),
        sees_phases_(sees_phases),
        minds_room_(minds_room),
        is_stoppable_(engine.is_stoppable()),
        poisoner_(poisoner),
        lends_memory_(lends_memory && !costs.is_real_time()) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// The asking task's own.
  TaskState& task(TaskId id) const { return tasks_[id]; }
  /// One to be written and sent.
  std::pair<MessageId, Message*> take_message() { return messages_.take(); }
  Message& message(MessageId id) { return messages_[id]; }
  SpecialMessage* make_special(MessageId message) { return messages_.make_special(message); }
  const RankCosts& costs() const { return costs_; }
  Time now() const { return engine_.now(); }
  /// Whether anybody wants to know of phases.
  bool sees_phases() const { return sees_phases_; }
  /// Whether a message may have to wait for room, or anybody wants to know who asks for it.
  bool minds_room() const { return minds_room_; }
  /// Who says what buffers of receives show until their messages are there; nullptr: poison as it is.
  RecordSink* poisoner() const { return poisoner_; }
  /// Whether messages may lie in their senders' memory: nobody changes them on their way, and no rank leaves its memory meanwhile.
  bool lends_memory() const { return lends_memory_; }

  /// Stops the task until what it waits for has happened. Throws Released when the run is being given up; but a destructor
  /// that waits while an exception unwinds the task goes on, as it may let no other out.
  void block(TaskId task, TaskState::Blocked why) {
    TaskState& state = tasks_[task];
    if (giving_up_ && is_unwinding()) return;
    let_look(state);
    state.blocked = why;
    state.is_unwinding = is_unwinding();
    {
      const CallingTaskScope others(nullptr);
      engine_.block(task);
    }
    if (giving_up_) return leave();
    state.blocked = TaskState::Blocked::no;
  }
  /// Whether a task may have steps left when its function ends: TaskState::last.
  bool may_end_with_steps() const { return costs_.are_none() && !costs_.is_real_time() && !sees_phases_; }
  /// Asked by each call of a task: where somebody wants the run to stop, the task waits for that, as in block(). So a rank can be
  /// stopped that never waits.
  void stop_if_asked(TaskId task) {
    if (is_stoppable_ && !giving_up_ && engine_.is_to_stop()) block(task, TaskState::Blocked::stopped);
  }
  /// Blocks until the rank has done `work` more.
  void work(TaskId task, Time work, PendingWork::Kind kind) {
    tasks_[task].operations.emplace_back(PendingWork{work, kind});
    block(task, TaskState::Blocked::work);
  }
  /// Blocks for so long that all others get as far as they can.
  void delay(TaskId task) {
    // A part of what is left of the clock, so that it can be done again and again. Who polls sleeps for a millisecond at most: that is a
    // hundred times as long.
    const Time rest = Time::ps((kLatestTime - now()).ps() / 4);
    constexpr Time kManyPolls = Time::ps(100'000'000'000);
    work(task, somebody_polls() ? std::min(rest, kManyPolls) : rest, PendingWork::Kind::idle);
  }
  /// Whether ranks of this run have polled.
  virtual bool somebody_polls() const { return false; }
  /// Ends the task where it stands. Not inside of the guard.
  [[noreturn]] void leave_for_good(TaskId task) {
    calling_task = nullptr;
    engine_.leave_behind(task);
    std::abort();  // it is not noticed that this does not return
  }
  /// Who describes the places of calls in the run; nullptr: nobody. From any thread.
  virtual void let_describe(const PlaceDescriber* /*describer*/) {}
  /// A call in the words of who describes places; empty: heddle's own are used.
  virtual std::string describe(const PlacedCall& /*call*/) const { return {}; }
  bool is_giving_up() const { return giving_up_; }
  /// Of a run that is being given up: throws Released through the task, if it may.
  static void leave() {
    if (!is_unwinding()) throw Released{};
  }
  /// From any thread that is no rank's: what it did wrong is what the run fails with.
  virtual void note_misuse(const std::string& text) = 0;
  /// What the task has asked for takes effect, though it goes on.
  virtual void take_pending_now(TaskId task) = 0;

  /// As MeasuredCommunicator has them.
  virtual void require_all_waited_for(TaskId task) const = 0;
  virtual void begin_second_call(TaskId task) = 0;
  void start_line(TaskId task) { barrier(task); }
  virtual Time finish_line(TaskId task) = 0;
  virtual std::optional<Datatype> switch_precision() const = 0;
  /// From any thread.
  std::shared_ptr<const void> shared_plan(std::uint32_t group, const std::string& key,
                                          const std::function<std::shared_ptr<const void>()>& make) {
    return plans_.get(group, key, make);
  }

 protected:
  ~Host() = default;

  /// As which calls on communicators know it.
  TaskIdentity identity_of(int rank, int number, TaskId id) { return {rank, number, nullptr, this, id}; }
  /// From now on tasks that wait are released.
  void give_up() { giving_up_ = true; }
  /// On the task's own thread, after all others have done so.
  void barrier(TaskId task) {
    engine_.barrier(task);
    if (giving_up_) leave();
  }

  /// At a task that is about to block.
  static void let_look(TaskState& state) {
    if (state.watch != nullptr && state.unseen-- == 0) state.unseen = state.watch->look();
  }

 private:
  void leave_behind(std::uint32_t task) final {
    if (!giving_up_) return;
    calling_task = nullptr;
    engine_.leave_behind(task);
  }
  static bool is_unwinding() { return std::uncaught_exceptions() > 0; }

  Engine& engine_;
  SharedPlans& plans_;
  TaskTable& tasks_;
  MessageStore& messages_;
  const RankCosts& costs_;
  const bool sees_phases_;
  const bool minds_room_;
  const bool is_stoppable_;
  RecordSink* const poisoner_;
  const bool lends_memory_;
  bool giving_up_ = false;
};

}  // namespace heddle::emu
