// SPDX-License-Identifier: Apache-2.0
// Parts of one run besides its messages and tasks: switches, orders of events, and what is said of a run that has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/engine/order_director.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/network.hpp"
#include "emu/record/failure.hpp"
#include "emu/run/message_flow.hpp"
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
  void take(TaskId task, const PendingSwitchCall& operation);
  /// What the network says: a call has left its sources.
  void streamed(StreamId id);

  /// Of a task that is blocked in a call: what it waits for, and the first rank that has not asked.
  std::string describe_wait(const TaskState& task, int& peer) const;
  /// Whether a rank has still to ask for what this task is blocked in.
  bool wait_for(const TaskState& task, int rank) const;

 private:
  void on_timer(std::uint64_t id) override { enter_network(static_cast<StreamId>(id)); }
  SwitchCall& call_of(TaskId task, const PendingSwitchCall& operation);
  bool agrees(const SwitchCall& call, const PendingSwitchCall& operation);
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
  /// All outlive it.
  RunDiagnosis(RunState& run, const MessageFlow& flow, const SwitchCalls& switches, const CommunicatorCalls& communicators)
      : run_(run), flow_(flow), switches_(switches), communicators_(communicators) {}

  /// The task's function has thrown.
  void fail_rank(const TaskState& task);
  /// The task's function has returned.
  void check_all_waited_for(const TaskState& task);
  /// Nothing can happen any more, and tasks are blocked.
  void fail_with_deadlock();
  /// After a deadlock, when all tasks have been released: what those had thrown that waited while that unwound them.
  void add_thrown_before();
  /// Time does not go on any more: these tasks have time slice after time slice.
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
  std::optional<Envelope> asked_for(const TaskState& task, std::uint32_t index) const;
  bool waits_for(const TaskState& task, int rank) const;
  std::vector<int> waiting_for(int rank) const;
  std::string who_waits_for(int rank) const;
  std::string injected_causes() const;

  RunState& run_;
  const MessageFlow& flow_;
  const SwitchCalls& switches_;
  const CommunicatorCalls& communicators_;
};

}  // namespace heddle::emu
