// SPDX-License-Identifier: Apache-2.0
#include "emu/run/effects/rank_faults.hpp"

#include <fmt/format.h>

namespace heddle::emu {

void RankFaults::begin(TaskId id) {
  TaskState& task = run_.tasks[id];
  const Time now = run_.engine.now();
  if (const Time late = run_.injected->late(task.rank); late > now) host_.work(id, late - now, WorkEffect::Kind::idle);
  task.counts_calls = true;
}

void RankFaults::count(TaskId id, const char* call) {
  TaskState& task = run_.tasks[id];
  if (!task.counts_calls) return;
  const Time now = run_.engine.now();
  const RankFault* fault = run_.injected->striking(task.rank, ++task.calls, now);
  if (fault == nullptr) return;
  if (fault->kind == RankFault::Kind::throws) throw Error(strike_text(task.calls, call, *fault));
  task.stopped_by = fault;
  task.stopped_in = call;
  task.stopped_at = now;
  run_.failure.expect();
  while (true) host_.block(id, TaskState::Blocked::stopped);  // until the run is given up
}

std::string strike_text(std::int64_t call, const char* name, const RankFault& fault) {
  return fmt::format("call {}, {}(), fault {}", call, name, to_string(fault));
}

}  // namespace heddle::emu
