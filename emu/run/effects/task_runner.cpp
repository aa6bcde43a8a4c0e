// SPDX-License-Identifier: Apache-2.0
#include "emu/run/effects/task_runner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/communicators/emulated_communicator.hpp"
#include "emu/communicators/guarded_communicator.hpp"

namespace heddle::emu {

TaskRunner::TaskRunner(RunState& run, bool minds_room, std::function<void(TaskId)> take_effects)
    : Host(run.engine, run.tasks, run.messages, run.costs, run.recorder.keeps_records(), minds_room, run.recorder.poisoner()),
      run_(run),
      take_effects_(std::move(take_effects)) {}

void TaskRunner::count_calls(CallCounter& faults, bool from_start) {
  faults_ = &faults;
  counts_from_start_ = from_start;
}

TaskId TaskRunner::start(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
                         MeasuredFunction body) {
  const int number = run_.ranks.take_task_number(world_rank);
  // The body learns its own number when it begins, which is after start() has returned.
  const auto self = std::make_shared<TaskId>();
  const TaskId id = run_.engine.start(pair_key(world_rank, number), [this, self, body = std::move(body)] {
    if (!is_giving_up()) run_task(*self, body);
  });
  *self = id;
  TaskState& task = run_.tasks.begin(id);
  task.rank = world_rank;
  task.identity = identity_of(world_rank, number, id);
  task.verification = run_.ranks.in_verification(world_rank);
  task.number = number;
  task.group = std::move(group);
  task.group_rank = group_rank;
  task.context = context;
  return id;
}

void TaskRunner::run_task(TaskId id, const MeasuredFunction& body) {
  const CallingTaskScope self(&run_.tasks[id].identity);
  try {
    run_in_communicator(id, body);
  } catch (const Released&) {
    // The run has failed elsewhere.
  } catch (...) {
    TaskState& task = run_.tasks[id];
    task.failure = std::current_exception();
    task.has_failed = true;
    run_.failure.expect();
  }
}

void TaskRunner::run_in_communicator(TaskId id, const MeasuredFunction& body) {
  TaskState& task = run_.tasks[id];
  if (run_.injected != nullptr && run_.injected->has_fault(task.rank)) {
    FaultyCommunicator communicator(*this, *faults_, id, task.group, task.group_rank, task.context);
    if (task.number == 0 && counts_from_start_) faults_->begin(id);
    body(communicator);
  } else if (TaskGuard* const guard = run_.engine.guard(); guard != nullptr) {
    GuardedCommunicator communicator(*this, *guard, id, task.group, task.group_rank, task.context);
    const GuardedCommunicator::Outside outside(*guard, id);
    body(communicator);
  } else {
    EmulatedCommunicator communicator(*this, id, task.group, task.group_rank, task.context);
    task.communicator = &communicator;
    body(communicator);
  }
}

void TaskRunner::end(TaskId id) {
  TaskState& task = run_.tasks[id];
  if (task.number == 0) {
    if (!run_.ranks.in_verification(task.rank)) run_.recorder.note_completed(task);
    return;
  }
  TaskState& parent = run_.tasks[task.parent];
  parent.children_round = std::max(parent.children_round, task.round);
  parent.children_contention_free = std::max(parent.children_contention_free, task.contention_free);
  parent.calls = std::max(parent.calls, task.calls);
  if (--parent.children_left > 0) return;
  run_.tasks.goes_on();
  parent.round = std::max(parent.round, parent.children_round);
  parent.contention_free = parent.children_contention_free;
  run_.wakes.wake(task.parent, {.base = &task.path, .contention_free = task.contention_free});
}

void TaskRunner::begin_verification(TaskId id) {
  TaskState& task = run_.tasks[id];
  run_.recorder.note_completed(task);
  task.round = 0;
  task.verification = true;
  run_.ranks.begin_verification(task.rank);
}

Time TaskRunner::finish_line(TaskId id) {
  const Time now = run_.engine.now();
  if (!run_.costs.is_real_time()) return now;
  run_.recorder.note_finish_line(run_.tasks[id].rank);
  meet(id);  // what comes then must not disturb the measured calls of others
  return now;
}

}  // namespace heddle::emu
