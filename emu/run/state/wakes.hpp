// SPDX-License-Identifier: Apache-2.0
// Blocked tasks go on.
#pragma once

#include <cstdint>

#include "emu/communicators/task_table.hpp"
#include "emu/engine/engine.hpp"
#include "emu/report/cause.hpp"
#include "emu/run/state/run_recorder.hpp"

namespace heddle::emu {

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
  void ring(std::uint64_t task) override { resume(static_cast<TaskId>(task)); }

  Engine& engine_;
  TaskTable& tasks_;
  RunRecorder& recorder_;
};

}  // namespace heddle::emu
