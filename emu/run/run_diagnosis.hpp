// SPDX-License-Identifier: Apache-2.0
// What is said of a run that cannot go on, or that has left something behind: which rank, which message, who waits for
// whom.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emu/diagnosis/message_observer.hpp"
#include "emu/run/effects/communicator_calls.hpp"
#include "emu/run/effects/message_flow.hpp"
#include "emu/run/effects/switch_calls.hpp"
#include "emu/run/state/run_state.hpp"

namespace heddle::emu {

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
  /// All ranks have returned.
  void check_all_received();

 private:
  void add_blocked(const TaskState& task, std::vector<BlockedOperation>& blocked) const;
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

}  // namespace heddle::emu
