// SPDX-License-Identifier: Apache-2.0
// One run: wires its parts together. Ranks ask through their communicators; what they asked for takes effect here, between the
// instants at which they run, on the engine's thread alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/engine/order_director.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/record/message_observer.hpp"
#include "emu/run/measured_run.hpp"
#include "emu/run/message_flow.hpp"
#include "emu/run/polls.hpp"
#include "emu/run/run_state.hpp"
#include "emu/run/task_runner.hpp"

namespace heddle::emu {

// Operations of the switches: gathered from all ranks, started, streamed.

/// On the engine's thread, or inside of its guard.
class SwitchCalls final : private Alarm {
 public:
  /// All outlive it.
  SwitchCalls(RunState& run, Network& network, const AloneTimes& alone) : run_(run), network_(network), alone_(alone) {}

  /// What a task has asked for takes effect. All ranks must ask for the same, or the run fails.
  void take(TaskId task, const SwitchCallEffect& effect);
  /// What the network says: a call has left its sources.
  void streamed(StreamId id);

  /// Of a task that is blocked in a call: what it waits for, and the first rank that has not asked.
  std::string describe_wait(const TaskState& task, int& peer) const;
  /// Whether a rank has still to ask for what this task is blocked in.
  bool wait_for(const TaskState& task, int rank) const;

 private:
  void on_timer(std::uint64_t id) override { enter_network(static_cast<StreamId>(id)); }
  SwitchCall& call_of(TaskId task, const SwitchCallEffect& effect);
  bool agrees(const SwitchCall& call, const SwitchCallEffect& effect);
  void spend_overhead(SwitchCall& call, const TaskState& task);
  void start(StreamId id);
  void enter_network(StreamId id);

  RunState& run_;
  Network& network_;
  const AloneTimes& alone_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, StreamId> gathering_;  ///< by context and call
  std::vector<std::unique_ptr<SwitchCall>> calls_;                         ///< by StreamId; nullptr: free
  std::vector<StreamId> free_;
};

// A run in another order than the usual one: what is due may be held back until nothing else can happen.

/// All that a checked run does has points, what is not measured too.
class DirectedOrder final : public AnySourceChoice {
 public:
  /// All of them outlive it.
  DirectedOrder(RunState& run, MessageFlow& flow, OrderDirector& director) : run_(run), flow_(flow), director_(director) {}

  /// As EngineClient has them.
  bool holds_back(TaskId task);
  bool release();

  std::size_t choose(ReceiveId receive, std::size_t messages) override;

 private:
  RunState& run_;
  MessageFlow& flow_;
  OrderDirector& director_;
};

// What is said of a run that cannot go on, or that has left something behind: which rank, which message, who waits for
// whom.

/// On the engine's thread. Whatever it finds, the run fails with.
class RunDiagnosis {
 public:
  /// All references outlive it. `observer` may be nullptr.
  RunDiagnosis(RunState& run, const MessageFlow& flow, const SwitchCalls& switches, const CommunicatorCalls& communicators,
               MessageObserver* observer)
      : run_(run), flow_(flow), switches_(switches), communicators_(communicators), observer_(observer) {}

  /// The task's function has thrown.
  void fail_rank(const TaskState& task);
  /// The task's function has returned.
  void check_all_waited_for(const TaskState& task);
  /// Nothing can happen any more, and tasks are blocked.
  void fail_with_deadlock();
  /// After a deadlock, when all tasks have been released: what those had thrown that waited while that unwound them.
  void add_thrown_before();
  /// Time does not go on any more: these tasks take turn after turn.
  void fail_endless(std::span<const TaskId> tasks);
  /// Ranks poll, and nothing else can happen any more, for so long that they are taken to go on for ever.
  void fail_polling();
  /// All ranks have returned.
  void check_all_received();

 private:
  void add_blocked(const TaskState& task, std::vector<BlockedOperation>& blocked) const;
  void add_probe(const TaskState& task, const MessagePattern& probe, const Group& group, bool is_polled,
                 std::vector<BlockedOperation>& blocked) const;
  void add_polling(const TaskState& task, std::vector<BlockedOperation>& blocked) const;
  bool waits_for(const TaskState& task, int rank) const;
  std::vector<int> waiting_for(int rank) const;
  std::string who_waits_for(int rank) const;
  std::string injected_causes() const;

  RunState& run_;
  const MessageFlow& flow_;
  const SwitchCalls& switches_;
  const CommunicatorCalls& communicators_;
  MessageObserver* observer_;
};

class Emulation final : private EngineClient, private NetworkClient {
 public:
  /// All references must outlive the run.
  Emulation(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
            const EmulationSettings& settings);

  /// Once. Throws what emulate() throws.
  Report run();

 private:
  // What the engine asks.
  void take_effect(TaskId task) override;
  bool goes_on(TaskId task) override;
  bool effects_stay_apart() const override {
    return run_.ranks.nobody_makes_second_call() && !run_.failure.is_near() && !run_.has_started_tasks;
  }
  bool may_run_ahead() const override;
  bool end_instant() override { return network_->end_instant() || (polls_.are_alone() && end_polling()); }
  void goes_on_for_ever(std::span<const TaskId> tasks) override { diagnosis_.fail_endless(tasks); }
  bool holds_back(TaskId task) override { return directed_->holds_back(task); }
  bool release() override { return directed_->release(); }

  // What the network says.
  void drained(MessageId message) override { flow_.drained(message); }
  void arrived(MessageId message) override { flow_.arrived(message); }
  void streamed(StreamId stream) override { switches_.streamed(stream); }

  // Each kind of effect.
  void take_effects_now(TaskId task);
  void take(TaskId task, const SendEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const ReceiveEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const RoomEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const TakenReceiveEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const QuestionEffect& effect) { polls_.take(task, effect); }
  void take(TaskId task, const FreeEffect& effect) { polls_.take(task, effect); }
  void take(TaskId task, const ProbeEffect& effect) { polls_.take(task, effect); }
  void take(TaskId task, const DozeEffect& effect) { polls_.take(task, effect); }
  void take(TaskId task, const std::unique_ptr<StartEffect>& effect) { communicators_.take(task, *effect); }
  void take(TaskId task, const FormEffect& effect) { communicators_.take(task, *effect.call); }
  void take(TaskId task, const WorkEffect& effect);
  void take(TaskId task, const std::unique_ptr<BranchesEffect>& effect) { communicators_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<SplitCall>& effect) { communicators_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<SwitchCallEffect>& effect) { switches_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<PhaseEffect>& effect) {
    run_.recorder.note_phase(run_.tasks[task], effect->depth, effect->name);
  }

  bool end_polling();
  Report report() const;
  [[noreturn]] void throw_stopped(Report so_far) const;

  const Fabric& fabric_;
  const MeasuredFunction& function_;
  std::optional<OrderDirector> director_;  ///< none in the usual order
  std::unique_ptr<Engine> engine_;
  RunState run_;
  std::unique_ptr<FaultyLinks> faulty_;  ///< nullptr: all are well
  AloneTimes alone_;
  NetworkRecorder links_;
  std::unique_ptr<Network> network_;
  MessageFlow flow_;
  Polls polls_;
  SwitchCalls switches_;
  GroupMaker groups_;
  TaskRunner runner_;
  RankFaults rank_faults_;
  CommunicatorCalls communicators_;
  std::optional<DirectedOrder> directed_;  ///< where there is a director
  RunDiagnosis diagnosis_;
};

}  // namespace heddle::emu
