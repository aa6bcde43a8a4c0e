// SPDX-License-Identifier: Apache-2.0
// Ranks that look at requests and messages without waiting for all of them: questions, probes, and the sleep of those that poll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/messages/special_calls.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/run/message_flow.hpp"
#include "emu/run/run_state.hpp"

namespace heddle::emu {

/// On the engine's thread, or inside of its guard.
class Polls final : private Alarm, private MessageWatch, private CompletionWatch {
 public:
  /// Both outlive it.
  Polls(RunState& run, MessageFlow& flow) : run_(run), flow_(flow) {}

  // What a task has asked for takes operation.
  void take(TaskId task, const PendingQuestion& operation);
  void take(TaskId task, const PendingFree& operation);
  void take(TaskId task, const PendingProbe& operation);
  void take(TaskId task, const PendingDoze& operation);

  /// The task has ended: what it had freed goes on without it.
  void let_go(TaskId task);

  /// Nothing can happen any more but that the limits of dozing ranks pass.
  bool are_alone() const { return dozing_ > 0 && !run_.engine.is_real_time() && run_.engine.alarms_set() == timers_; }
  /// Where they are alone: what comes of it. Those that go on have some of their next dozes without a time slice.
  enum class Verdict : std::uint8_t { go_on, deadlock, endless };
  Verdict verdict();

 private:
  /// A task that has asked something once.
  struct Asker {
    TaskId task;
    int rank;
  };

  void on_timer(std::uint64_t payload) override;
  void message_came(int rank, const Cause& cause) override;
  void completed_unawaited(TaskId task, std::uint32_t slot, const Cause& cause) override;

  /// From now on it is told of what happens to the task.
  SpecialCalls& note_asker(TaskId task);
  bool try_probe(TaskId task, Probe& probe);
  void end_doze(TaskState& task);
  void wake_dozing(TaskId id, const Cause& cause);

  RunState& run_;
  MessageFlow& flow_;
  std::vector<Asker> askers_;
  std::size_t dozing_ = 0;
  std::size_t timers_ = 0;  ///< that are set, of ranks that have been woken meanwhile, too
  std::uint32_t dozes_ = 0;
};

}  // namespace heddle::emu
