// SPDX-License-Identifier: Apache-2.0
#include "emu/run/effects/directed_order.hpp"

namespace heddle::emu {

bool DirectedOrder::holds_back(TaskId id) {
  const TaskState& task = run_.tasks[id];
  if (!director_.delays_step(task.rank, task.number)) return false;
  director_.hold({true, id, run_.engine.now()});
  return true;
}

bool DirectedOrder::release() {
  if (!director_.is_holding()) return false;
  const OrderDirector::Held held = director_.release();
  const Time waited = run_.engine.now() - held.since;
  if (held.is_task) {
    TaskState& task = run_.tasks[held.id];
    task.path.parts.waiting += waited;
    task.contention_free += waited;
    run_.engine.wake(held.id);
  } else {
    Message& message = run_.messages[held.id];
    message.path.parts.waiting += waited;
    message.contention_free += waited;
    flow_.arrive(held.id);
  }
  return true;
}

std::size_t DirectedOrder::choose(ReceiveId receive, std::size_t messages) {
  return director_.pick(run_.tasks[receive.task()].rank, messages);
}

}  // namespace heddle::emu
