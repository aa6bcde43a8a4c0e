// SPDX-License-Identifier: Apache-2.0
// The tasks of a run by id: their state, and which of them live.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "emu/communicators/task_state.hpp"
#include "emu/messages/chunked_vector.hpp"
#include "emu/tasks/tasks.hpp"

namespace heddle::emu {

/// A task's own thread uses its own state; all else belongs to the engine's thread.
class TaskTable {
 public:
  /// A state stays where it is as others come.
  TaskState& operator[](TaskId id) { return tasks_[id]; }
  const TaskState& operator[](TaskId id) const { return tasks_[id]; }
  /// Ids are below that.
  TaskId size() const { return static_cast<TaskId>(tasks_.size()); }

  /// A task lives from now on, with a state that is as new.
  TaskState& begin(TaskId id) {
    if (id >= tasks_.size()) tasks_.grow(id + std::size_t{1}), live_.resize(id + std::size_t{1});
    live_[id] = true;
    goes_on();
    return tasks_[id] = TaskState();
  }
  /// It has ended. Its state stays until another task has its id.
  void end(TaskId id) {
    live_[id] = false;
    --acting_;
  }
  bool is_live(TaskId id) const { return live_[id]; }

  /// One waits for branches of its own, or does so no longer.
  void waits_for_branches() { --acting_; }
  void goes_on() { peak_ = std::max(peak_, ++acting_); }

  /// The most that have lived at once, without those that waited for branches of their own.
  int peak() const { return peak_; }

 private:
  ChunkedVector<TaskState> tasks_;
  std::vector<bool> live_;
  int acting_ = 0;
  int peak_ = 0;
};

}  // namespace heddle::emu
