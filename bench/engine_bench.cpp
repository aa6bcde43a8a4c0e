// SPDX-License-Identifier: Apache-2.0
// What time and threads cost: a switch to a strand and back, an event in the queue.
#include <benchmark/benchmark.h>

#include <memory>
#include <numeric>
#include <vector>

#include "core/units.hpp"
#include "emu/event_queue.hpp"
#include "emu/strands.hpp"

namespace heddle::emu {

namespace {

/// `strands` strands that do nothing but block: one iteration switches to each and back.
void switch_strands(benchmark::State& state, std::unique_ptr<Strands> strands) {
  const auto count = static_cast<std::size_t>(state.range(0));
  bool ending = false;
  std::vector<StrandId> ids(count);
  for (StrandId& id : ids) {
    const auto self = std::make_shared<StrandId>();
    id = *self = strands->create([&, self] {
      while (!ending) strands->block(*self);
    });
  }
  for (auto _ : state) strands->run(ids);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  ending = true;
  strands->run(ids);
}

void BM_UserStrandSwitch(benchmark::State& state) { switch_strands(state, make_user_strands(64 * 1024)); }
void BM_KernelStrandSwitch(benchmark::State& state) { switch_strands(state, make_kernel_strands()); }
BENCHMARK(BM_UserStrandSwitch)->Arg(1)->Arg(1024)->Arg(65536);
BENCHMARK(BM_KernelStrandSwitch)->Arg(1)->Arg(64)->UseRealTime();

/// Pushes and pops `events` events that share instants by `state.range(1)`.
void BM_EventQueue(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::int64_t per_instant = state.range(1);
  EventQueue<std::uint64_t> queue;
  std::vector<std::uint64_t> popped;
  std::int64_t begin = 0;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < events; ++i) {
      // Scattered, so that the heap has work: multiplication by an odd number permutes.
      const std::int64_t instant = (i / per_instant * 40503) & 0xffff;
      queue.push(Time::ps(begin + instant), static_cast<std::uint64_t>(i));
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
