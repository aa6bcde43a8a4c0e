// SPDX-License-Identifier: Apache-2.0
#include "emu/run/task_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "core/pair_key.hpp"

namespace heddle::emu {

TaskRunner::TaskRunner(RunState& run, bool minds_room, std::function<void(TaskId)> take_pending)
    : Host(run.engine, run.plans, run.tasks, run.messages, run.costs, run.recorder.keeps_records(), minds_room,
           run.recorder.poisoner(), run.injected == nullptr),
      run_(run),
      take_pending_(std::move(take_pending)) {}

void TaskRunner::count_calls(CallCounter& faults, bool from_start) {
  faults_ = &faults;
  counts_from_start_ = from_start;
}

TaskId TaskRunner::start(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
                         MeasuredFunction body) {
  const int number = run_.ranks.take_task_number(world_rank);
  const auto self = std::make_shared<TaskId>();
  const TaskId id =
      run_.engine.start(pair_key(world_rank, number), std::bind_front(&TaskRunner::run_task, this, self, std::move(body)));
  *self = id;
  TaskState& task = run_.tasks.begin(id);
  task.rank = world_rank;
  task.identity = identity_of(world_rank, number, id);
  task.second_call = run_.ranks.in_second_call(world_rank);
  task.number = number;
  task.group = std::move(group);
  task.group_rank = group_rank;
  task.context = context;
  return id;
}

void TaskRunner::run_task(const std::shared_ptr<const TaskId>& self, const MeasuredFunction& body) {
  if (is_giving_up()) return;
  const TaskId id = *self;
  TaskState& task = run_.tasks[id];
  const CallingTaskScope here(&task.identity);
  try {
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
      body(communicator);
      if (task.last != nullptr) begin_steps(task);
    }
  } catch (const Released&) {
    // The run has failed elsewhere.
  } catch (...) {
    task.failure = std::current_exception();
    task.has_failed = true;
    run_.failure.expect();
  }
}

/// On the task's own stack, at its end: from now on it waits as in an exchange of its own.
void TaskRunner::begin_steps(TaskState& task) {
  const std::shared_ptr<ExchangeSteps> steps = task.last;
  if (steps->look_up()) {
    let_look(task);
    task.blocked = TaskState::Blocked::requests;
    return;
  }
  task.last = nullptr;
  steps->rethrow();
}

void TaskRunner::end_steps(TaskId id) {
  TaskState& task = run_.tasks[id];
  task.blocked = TaskState::Blocked::no;
  task.failure = task.last->failure();
  task.has_failed = task.failure != nullptr;
  if (task.has_failed) run_.failure.expect();
  task.last = nullptr;
}

void TaskRunner::release_all() noexcept {
  give_up();
  // They use what ranks have on their stacks.
  for (TaskId id = 0; id < run_.tasks.size(); ++id) run_.tasks[id].last = nullptr;
  run_.engine.drain();
}

void TaskRunner::end(TaskId id) {
  TaskState& task = run_.tasks[id];
  if (task.number == 0) {
    if (!run_.ranks.in_second_call(task.rank)) run_.recorder.note_completed(task);
    return;
  }
  if (task.special != nullptr && task.special->is_started) {
    if (const std::optional<std::uint32_t> slot = task.special->ends_request)
      run_.complete(task.parent, *slot, task.round, {.base = &task.path, .contention_free = task.contention_free},
                    task.contention_free);
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

void TaskRunner::require_all_waited_for(TaskId id) const {
  const LeftRequests left = left_requests(run_.describer, run_.tasks[id]);
  if (left.count > 0) throw CheckError(CheckError::Kind::hygiene, left.text, {.rank = run_.tasks[id].rank});
}

void TaskRunner::begin_second_call(TaskId id) {
  TaskState& task = run_.tasks[id];
  run_.recorder.note_completed(task);
  task.round = 0;
  task.second_call = true;
  run_.ranks.begin_second_call(task.rank);
  if (holds_second_calls_) block(id, TaskState::Blocked::second_call);
}

Time TaskRunner::finish_line(TaskId id) {
  const Time now = run_.engine.now();
  if (!run_.costs.is_real_time()) return now;
  run_.recorder.note_finish_line(run_.tasks[id].rank);
  barrier(id);  // what comes then must not disturb the measured calls of others
  return now;
}

void CommunicatorCalls::take(TaskId id, const PendingBranches& operation) {
  TaskState& task = run_.tasks[id];
  const bool is_shared = operation.space == MessageSpace::shared;
  std::uint32_t first_context = operation.parent_context;
  if (!is_shared) {
    const Contexts::Branches& branches =
        contexts_.branches(operation.parent_context, operation.call, operation.tasks, task.rank);
    if (branches.tasks != operation.tasks) {
      return run_.failure.fail(CheckError::Kind::usage,
                               fmt::format("rank {} called concurrently({}, …) where rank {} called concurrently({}, …)",
                                           task.rank, operation.tasks, branches.by_rank, branches.tasks));
    }
    first_context = branches.first;
  }
  run_.tasks.waits_for_branches();
  task.children_left = static_cast<std::uint32_t>(operation.tasks);
  task.children_round = 0;
  task.children_contention_free = Time();
  const int family = task.family != 0 ? task.family : run_.ranks.tasks_made(task.rank);
  for (int i = 0; i < operation.tasks; ++i) {
    const std::uint32_t context = first_context + (is_shared ? 0 : static_cast<std::uint32_t>(i));
    const TaskId child =
        start_task(id, operation.group, operation.rank, context, operation.depth,
                   [body = operation.body, i](MeasuredCommunicator& communicator) { (*body)(i, communicator); });
    run_.tasks[child].family = family;
    run_.tasks[child].shares_messages = is_shared;
  }
}

/// A task of the rank of `parent`, which goes on from where that is.
TaskId CommunicatorCalls::start_task(TaskId parent, std::shared_ptr<const Group> group, int rank, std::uint32_t context,
                                     int depth, MeasuredFunction body) {
  const TaskId child = runner_.start(run_.tasks[parent].rank, std::move(group), rank, context, std::move(body));
  const TaskState& task = run_.tasks[parent];
  TaskState& its = run_.tasks[child];
  its.parent = parent;
  its.identity.parent = &task.identity;
  its.watch = task.watch;
  its.names = task.names;
  its.round = task.round;
  its.depth = depth + 1;
  run_.recorder.note_branch(task, its);
  its.path = task.path;
  its.contention_free = task.contention_free;
  its.counts_calls = task.counts_calls;
  its.calls = task.calls;
  if (task.special != nullptr && task.special->place != nullptr) its.special_calls().place = task.special->place;
  return child;
}

/// The context of a call that each rank makes for itself, in turn with concurrently(). No value: the ranks call different things.
std::optional<std::uint32_t> CommunicatorCalls::context_alone(std::uint32_t parent, std::uint32_t call, int rank,
                                                              const char* function) {
  const Contexts::Branches& branches = contexts_.branches(parent, call, 1, rank);
  if (branches.tasks == 1) return branches.first;
  run_.failure.fail(CheckError::Kind::usage, fmt::format("rank {} called {}() where rank {} called concurrently({}, …)", rank,
                                                         function, branches.by_rank, branches.tasks));
  return std::nullopt;
}

void CommunicatorCalls::take(TaskId id, const PendingStart& operation) {
  run_.makes_special_calls = run_.has_started_tasks = true;
  const TaskState& task = run_.tasks[id];
  const std::optional<std::uint32_t> context = context_alone(operation.parent_context, operation.call, task.rank, "start");
  if (!context) return;
  const int family = task.family != 0 ? task.family : run_.ranks.tasks_made(task.rank);
  const TaskId child = start_task(id, operation.group, operation.rank, *context, operation.depth, operation.body);
  run_.tasks[child].family = family;
  SpecialCalls& special = run_.tasks[child].special_calls();
  special.is_started = true;
  special.ends_request = operation.slot;
  // The rank may have made other calls since.
  special.place = run_.tasks[id].special->requests[operation.slot].place;
}

void CommunicatorCalls::take(TaskId id, const SplitCall& operation) {
  if (const auto whole = splits_.add(operation, id)) make_groups(*whole);
}

void CommunicatorCalls::make_groups(const SplitCalls<TaskId>::Gathered& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.calls)) {
    std::vector<TaskId> tasks;
    tasks.reserve(indices.size());
    for (const std::size_t i : indices) tasks.push_back(call.members[i]);
    make_group(tasks, call.calls.front().parent_context, call.calls.front().call);
  }
  wake_all(call.members);
}

void CommunicatorCalls::take(TaskId id, const FormCall& operation) {
  if (operation.members.empty()) {
    // All ranks: the task knows its group, and waits for nobody.
    TaskState& task = run_.tasks[id];
    const auto call = static_cast<std::uint32_t>(operation.key);
    const std::optional<std::uint32_t> context = context_alone(operation.parent_context, call, task.rank, "form");
    if (!context) return;
    task.split_context = *context;
    return run_.wakes.resume(id);
  }
  const auto place = forms_.try_emplace({operation.parent_context, operation.members, operation.key}).first;
  std::vector<TaskId>& come = place->second;
  come.push_back(id);
  if (come.size() < operation.members.size()) return;
  const std::vector<TaskId> all = std::move(come);
  forms_.erase(place);
  std::map<int, TaskId> by_rank;
  for (const TaskId task : all) by_rank[run_.tasks[task].rank] = task;
  std::vector<TaskId> in_order;
  for (const int member : operation.members) in_order.push_back(by_rank[member]);
  make_group(in_order, operation.parent_context, 0);
  wake_all(all);
}

/// Of these tasks, in the order of its ranks.
void CommunicatorCalls::make_group(const std::vector<TaskId>& tasks, std::uint32_t parent, std::uint32_t call) {
  std::vector<int> members;
  members.reserve(tasks.size());
  for (const TaskId task : tasks) members.push_back(run_.tasks[task].rank);
  const std::shared_ptr<const Group> group = groups_.make(std::move(members));
  const std::uint32_t context = contexts_.take(parent, call);
  for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
    TaskState& task = run_.tasks[tasks[rank]];
    task.split_group = group;
    task.split_context = context;
    task.split_rank = static_cast<int>(rank);
  }
}

/// Because the last of them has come.
void CommunicatorCalls::wake_all(const std::vector<TaskId>& tasks) {
  Time contention_free;
  for (const TaskId task : tasks) contention_free = std::max(contention_free, run_.tasks[task].contention_free);
  const CriticalPath path = run_.tasks[tasks.back()].path;
  for (const TaskId task : tasks) {
    run_.tasks[task].contention_free = contention_free;
    run_.wakes.wake(task, {.base = &path});
  }
}

}  // namespace heddle::emu
