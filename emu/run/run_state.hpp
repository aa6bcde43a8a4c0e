// SPDX-License-Identifier: Apache-2.0
// What the parts of one run share, each piece with a class of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/messages/host.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/record/report.hpp"
#include "emu/run/ranks.hpp"
#include "emu/run/run_recorder.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "heddle/messages.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

// What a run has failed with: the first thing that went wrong.

class RunFailure {
 public:
  /// Outlives it.
  explicit RunFailure(Engine& engine) : engine_(engine) {}

  /// On the engine's thread. Stops the engine; who called does no more of what it was about to do.
  void fail(CheckError::Kind kind, const std::string& explanation, FailureFacts facts = {}) {
    facts.time = engine_.now();
    fail(std::make_exception_ptr(CheckError(kind, explanation, std::move(facts))));
  }
  void fail(const std::exception_ptr& error) {
    if (!error_) error_ = error;
    engine_.stop();
  }
  /// From any thread: a communicator was used by a thread that is no rank's. Whatever comes of it, this is what the run has
  /// failed with. The first time counts.
  void note_misuse(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (misuse_.empty()) misuse_ = text;
  }
  /// Below an explanation.
  void add(const std::string& lines) {
    if (!error_) return;
    try {
      std::rethrow_exception(error_);
    } catch (const CheckError& error) {
      error_ = std::make_exception_ptr(CheckError(error.kind(), error.what() + lines, error.facts()));
    } catch (const ResourceError&) {  // there is nothing to explain
    } catch (const std::bad_alloc&) {
    }
  }
  bool has_failed() const { return error_ != nullptr; }
  void rethrow() const {
    const std::lock_guard lock(mutex_);
    if (!misuse_.empty()) throw CheckError(CheckError::Kind::usage, misuse_);
    if (error_) std::rethrow_exception(error_);
  }

  /// From any thread: a rank has thrown or stopped. All others get as far as they can at that timestamp before it is said who
  /// waits for whom.
  void expect() { is_near_ = true; }
  bool is_near() const { return is_near_; }

 private:
  Engine& engine_;
  std::exception_ptr error_;
  std::atomic<bool> is_near_ = false;
  mutable std::mutex mutex_;  ///< of what follows
  std::string misuse_;
};

// Blocked tasks go on.

/// On the engine's thread.
class Wakes final : private Alarm {
 public:
  /// All three outlive it.
  Wakes(Engine& engine, TaskTable& tasks, RunRecorder& recorder) : engine_(engine), tasks_(tasks), recorder_(recorder) {}

  /// A task goes on, because of what happens now.
  void wake(TaskId id, const Cause& cause) {
    TaskState& task = tasks_[id];
    if (cause.base != &task.path) task.path = cause.path();
    resume(id);
  }

  /// Its path is that of now already.
  void resume(TaskId id) {
    if (recorder_.keeps_records()) recorder_.note_goes_on(tasks_[id]);
    engine_.wake(id);
  }
  /// Its path is that of `time` already.
  void resume_at(Time time, TaskId id) { engine_.at(time, *this, id); }

 private:
  void on_timer(std::uint64_t task) override { resume(static_cast<TaskId>(task)); }

  Engine& engine_;
  TaskTable& tasks_;
  RunRecorder& recorder_;
};

/// Told of requests that complete while their task does not wait for them.
class CompletionWatch {
 public:
  virtual void completed_unawaited(TaskId task, std::uint32_t slot, const Cause& cause) = 0;

 protected:
  ~CompletionWatch() = default;
};

// A run's faults of messages and ranks: whom they strike, and when. Those of links are the network's.

class InjectedFaults {
 public:
  /// `faults` outlive it and are possible for so many ranks.
  InjectedFaults(const Faults& faults, std::size_t ranks);

  // ---- of messages, on the engine's thread ----

  /// Of a message that crosses the fabric, each once, in the order in which they are sent.
  MessageOutcome draw_outcome(const Message& message);
  /// How it is numbered and which fault struck it: "message 3 from rank 2 to rank 5, fault message:2->5,lost,nth=3".
  std::string injection_text(const Message& message) const;
  /// Changes one byte of it, if it has any.
  void damage(Message& message) const;

  void note_lost(const Message& message, std::string text);
  const std::vector<std::string>& lost() const { return lost_; }
  /// Whether one of its channel was lost: what comes behind it is not received.
  bool has_lost_on(const ChannelKey& channel) const;

  // ---- of ranks, from any thread ----

  bool has_fault(int rank) const { return has_fault_[static_cast<std::size_t>(rank)]; }
  Time slowed(int rank, Time time) const;
  /// Until when a late rank waits; 0: it is not.
  Time late(int rank) const;
  /// The fault by which a rank throws or stops at its call number `call`, made now; nullptr: none.
  const RankFault* striking(int rank, std::int64_t call, Time now) const;

  /// Notes those that changed nothing in a run that ended well, and why; those that adaptive routing went round; and what links had.
  void report(const Fabric& fabric, const FaultyLinks* links, Report& report) const;

 private:
  struct Injection {
    std::int64_t nth;
    const MessageFault* fault;  ///< nullptr: the unreliable fabric's
  };

  void report_links(const Topology& topology, const FaultyLinks& links, Report& report) const;
  std::string why_idle(const RankFault& fault, const FabricSettings& settings) const;
  std::string why_idle(const MessageFault& fault) const;

  MessageOutcome draw_outcome(int source, int dest, std::int64_t nth) const;
  const MessageFault* fault_of(int source, int dest, std::int64_t nth) const;

  const Faults& faults_;
  std::vector<bool> has_fault_;
  std::vector<double> slower_;
  std::unordered_map<std::uint64_t, std::int64_t> sent_;     ///< by source and destination
  std::unordered_map<std::uint64_t, Injection> injections_;  ///< by the message's number in the run
  std::vector<std::string> lost_;
  std::vector<ChannelKey> lost_on_;
};

struct RunState {
  /// The engine outlives it, and so do `faults` (of messages and ranks). `tasks_side_by_side`: several send at once.
  RunState(Engine& its_engine, const RankCosts& its_costs, std::size_t its_ranks, bool tasks_side_by_side = false,
           std::span<RecordSink* const> sinks = {}, const Faults& faults = {})
      : engine(its_engine),
        costs(its_costs),
        messages(tasks_side_by_side),
        ranks(its_ranks),
        failure(its_engine),
        recorder(its_engine, ranks, costs, sinks),
        wakes(its_engine, tasks, recorder),
        injected(faults.empty() ? nullptr : std::make_unique<InjectedFaults>(faults, its_ranks)) {}
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

  /// What takes `time` on a rank that nothing slows down.
  Time slowed(int rank, Time time) const { return injected == nullptr ? time : injected->slowed(rank, time); }

  /// A request of the task has completed. `contention_free`: when it would have, if no message shared a link.
  void complete(TaskId id, std::uint32_t slot_index, int round, const Cause& cause, Time contention_free) {
    TaskState& task = tasks[id];
    RequestSlot& slot = task.slots[slot_index];
    slot.state = RequestSlot::State::complete;
    slot.round = round;
    slot.contention_free = contention_free;
    if (slot.awaited) {
      if (--task.pending == 0) wakes.wake(id, cause);
    } else if (completion_watch_ != nullptr) {
      completion_watch_->completed_unawaited(id, slot_index, cause);
    }
  }
  void let_watch_completions(CompletionWatch& watch) { completion_watch_ = &watch; }

  Engine& engine;
  RankCosts costs;
  SharedPlans plans;  ///< until the tasks are gone: what those hold that never began uses plans
  TaskTable tasks;
  MessageStore messages;
  Ranks ranks;
  RunFailure failure;
  RunRecorder recorder;
  Wakes wakes;
  std::unique_ptr<InjectedFaults> injected;  ///< nullptr: none
  std::atomic<const PlaceDescriber*> describer = nullptr;
  bool makes_special_calls = false;  ///< some task has polled, or has chosen how a message goes
  bool has_started_tasks = false;    ///< whose end completes requests of others

 private:
  CompletionWatch* completion_watch_ = nullptr;
};

}  // namespace heddle::emu
