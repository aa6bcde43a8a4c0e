// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/task_state.hpp"

#include "tests/catch.hpp"

namespace heddle::emu {

TEST_CASE("task table: a new task's state is as new, though another had its id") {
  TaskTable tasks;
  tasks.begin(3).round = 5;
  CHECK(tasks.size() == 4);
  CHECK(tasks.is_live(3));
  CHECK_FALSE(tasks.is_live(2));
  tasks.end(3);
  CHECK_FALSE(tasks.is_live(3));
  CHECK(tasks[3].round == 5);
  CHECK(tasks.begin(3).round == 0);
}

TEST_CASE("task table: the peak leaves out who waits for branches of its own") {
  TaskTable tasks;
  tasks.begin(0);
  CHECK(tasks.peak() == 1);
  tasks.waits_for_branches();
  tasks.begin(1);
  tasks.begin(2);
  CHECK(tasks.peak() == 2);
  tasks.end(1);
  tasks.end(2);
  tasks.goes_on();
  CHECK(tasks.peak() == 2);
}

TEST_CASE("task state: a slot that is free is taken again before there are more") {
  TaskState task;
  CHECK(task.take_slot() == 0);
  CHECK(task.take_slot() == 1);
  task.slots[0].next_free = TaskState::kNoSlot;
  task.free_slot = 0;
  CHECK(task.take_slot() == 0);
  CHECK(task.take_slot() == 2);
}

}  // namespace heddle::emu
