// SPDX-License-Identifier: Apache-2.0
// What time and threads cost: a switch to a task and back, an event in the queue.
#include <benchmark/benchmark.h>

#include <memory>
#include <numeric>
#include <vector>

#include "emu/engine/event_queue.hpp"
#include "emu/engine/tasks.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

namespace {

/// `tasks` tasks that do nothing but block: one iteration switches to each and back.
void switch_tasks(benchmark::State& state, std::unique_ptr<Tasks> tasks) {
  const auto count = static_cast<std::size_t>(state.range(0));
  bool ending = false;
  std::vector<TaskId> ids(count);
  for (TaskId& id : ids) {
    const auto self = std::make_shared<TaskId>();
    id = *self = tasks->create([&, self] {
      while (!ending) tasks->block(*self);
    });
  }
  for (auto _ : state) tasks->run(ids);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  ending = true;
  tasks->run(ids);
}

void BM_UserTaskSwitch(benchmark::State& state) { switch_tasks(state, make_user_tasks(64 * 1024)); }
void BM_KernelTaskSwitch(benchmark::State& state) { switch_tasks(state, make_kernel_tasks()); }
BENCHMARK(BM_UserTaskSwitch)->Arg(1)->Arg(1024)->Arg(65536);
BENCHMARK(BM_KernelTaskSwitch)->Arg(1)->Arg(64)->UseRealTime();

/// Pushes and pops `events` events that share timestamps by `state.range(1)`.
void BM_EventQueue(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::int64_t per_timestamp = state.range(1);
  EventQueue<std::uint64_t> queue;
  std::vector<std::uint64_t> popped;
  std::int64_t begin = 0;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < events; ++i) {
      // Scattered, so that the heap has work: multiplication by an odd number permutes.
      const std::int64_t timestamp = (i / per_timestamp * 40503) & 0xffff;
      queue.push(Time::ps(begin + timestamp), static_cast<std::uint64_t>(i));
    }
    while (!queue.empty()) queue.pop(popped);
    benchmark::DoNotOptimize(popped.data());
    begin += 0x10000;
  }
  state.SetItemsProcessed(state.iterations() * events);
}
BENCHMARK(BM_EventQueue)->Args({16384, 1})->Args({16384, 64})->Args({16384, 16384});

}  // namespace

}  // namespace heddle::emu
