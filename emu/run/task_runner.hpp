// SPDX-License-Identifier: Apache-2.0
// Tasks of ranks from their start to their end, and what their communicators ask for besides operations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "emu/messages/emulated_communicator.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/host.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/run/call_places.hpp"
#include "emu/run/run_state.hpp"

namespace heddle::emu {

class TaskRunner final : public Host {
 public:
  /// `take_pending`: lets happen what a task has asked for.
  TaskRunner(RunState& run, bool minds_room, std::function<void(TaskId)> take_pending);

  /// From now on tasks of ranks that a fault concerns have their calls counted: from the start of the rank, or from what it
  /// says is measured. `faults` outlives this.
  void count_calls(CallCounter& faults, bool from_start);

  /// A task that runs `body` from now on, with a communicator of this group and context.
  TaskId start(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
               MeasuredFunction body);
  /// Its function has returned, and it has waited for all of its requests. Wakes the task that waits for its branches, if this
  /// is the last of them.
  void end(TaskId task);
  /// The run has failed: all tasks end as soon as they can.
  void release_all() noexcept;
  /// Steps that were left of a task whose function has ended have been made: now it has ended.
  void end_steps(TaskId task);

  // For communicators.
  void take_pending_now(TaskId task) override { take_pending_(task); }
  void note_misuse(const std::string& text) override { run_.failure.note_misuse(text); }
  bool somebody_polls() const override { return run_.makes_special_calls; }
  void let_describe(const PlaceDescriber* describer) override { run_.describer = describer; }
  std::string describe(const PlacedCall& call) const override { return describe_place(run_.describer, call); }
  void require_all_waited_for(TaskId task) const override;
  void begin_second_call(TaskId task) override;
  /// Whether a rank waits there for the others: then all make it at once. It takes no time.
  void hold_second_calls(bool holds) { holds_second_calls_ = holds; }
  Time finish_line(TaskId task) override;
  std::optional<Datatype> switch_precision() const override { return run_.recorder.switch_precision(); }

 private:
  void begin_steps(TaskState& task);
  /// On the task's own stack. It learns its own number when it begins, which is after start() has returned.
  void run_task(const std::shared_ptr<const TaskId>& self, const MeasuredFunction& body);

  RunState& run_;
  std::function<void(TaskId)> take_pending_;
  CallCounter* faults_ = nullptr;
  bool counts_from_start_ = false;
  bool holds_second_calls_ = false;
};

// Calls that make communicators: split() and form(), concurrently() and start() with their tasks.

/// On the engine's thread, or inside of its guard.
class CommunicatorCalls {
 public:
  /// All of them outlive it.
  CommunicatorCalls(RunState& run, GroupMaker& groups, TaskRunner& runner) : run_(run), groups_(groups), runner_(runner) {}

  // What a task has asked for takes effect.
  void take(TaskId task, const PendingBranches& operation);
  void take(TaskId task, const SplitCall& operation);
  void take(TaskId task, const PendingStart& operation);
  void take(TaskId task, const FormCall& operation);

  /// Calls of split() that some of their ranks have not made.
  const SplitCalls<TaskId>& splits() const { return splits_; }

  const Contexts& contexts() const { return contexts_; }

 private:
  std::optional<std::uint32_t> context_alone(std::uint32_t parent, std::uint32_t call, int rank, const char* function);
  void make_groups(const SplitCalls<TaskId>::Gathered& call);
  /// `parent`: the context that they had in the `call`-th split of it.
  void make_group(const std::vector<TaskId>& tasks, std::uint32_t parent, std::uint32_t call);
  void wake_all(const std::vector<TaskId>& tasks);
  TaskId start_task(TaskId parent, std::shared_ptr<const Group> group, int rank, std::uint32_t context, int depth,
                    MeasuredFunction body);

  /// What calls of form() must agree on: context, members, key.
  using FormKey = std::tuple<std::uint32_t, std::vector<int>, int>;

  RunState& run_;
  GroupMaker& groups_;
  TaskRunner& runner_;
  Contexts contexts_;
  SplitCalls<TaskId> splits_;
  std::map<FormKey, std::vector<TaskId>> forms_;  ///< by whom they have been made so far
};

// Ranks that come late, throw or stop because a run is asked to have it so (docs/faults.md).

/// Of a run with injected faults.
class RankFaults final : public CallCounter {
 public:
  /// Both outlive it.
  RankFaults(RunState& run, Host& host) : run_(run), host_(host) {}

  void begin(TaskId task) override;
  void end(TaskId task) override { run_.tasks[task].counts_calls = false; }
  void count(TaskId task, const char* call) override;

 private:
  RunState& run_;
  Host& host_;
};

/// "call 3, isend(), fault rank:2,throws,call=3".
std::string injection_text(std::int64_t call, const char* name, const RankFault& fault);

}  // namespace heddle::emu
