// SPDX-License-Identifier: Apache-2.0
// What working out plans costs, beside the verified runs that they are for: it must stay below a tenth.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/executors/skips.hpp"
#include "algorithms/families/swing.hpp"
#include "algorithms/families/trivance.hpp"
#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

Grid square(benchmark::State& state) {
  return Grid(std::vector<int>(static_cast<std::size_t>(state.range(1)), static_cast<int>(state.range(0))), true);
}

/// Every list of every rank in every step once, as the first port of a run asks for them in its reduce-scatter. Items are
/// ranks.
void BM_TrivancePlan(benchmark::State& state) {
  const Grid grid = square(state);
  const plans::Lattice lattice(&grid, grid.size());
  for (auto _ : state) {
    const plans::LatticeSkipPlan plan(lattice, plans::trivance_pattern(), 0, plans::LatticeSkipPlan::Layout::compact);
    plans::BlockStepPool pool;
    for (int rank = 0; rank < grid.size(); ++rank) {
      for (int step = 0; step < plan.steps(); ++step) benchmark::DoNotOptimize(plan.step(rank, step, pool).sends.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * grid.size());
}
BENCHMARK(BM_TrivancePlan)->Args({27, 2})->Args({16, 3})->Unit(benchmark::kMillisecond);

/// The plan of one port, which is worked out once for all ranks. Items are ranks.
void BM_SwingPlan(benchmark::State& state) {
  const Grid grid = square(state);
  const plans::Lattice lattice(&grid, grid.size());
  for (auto _ : state) {
    const plans::BlockPlan plan = plans::swing_block_plan(lattice, plans::swing_port(0, lattice.dimensions()));
    benchmark::DoNotOptimize(plan.steps());
  }
  state.SetItemsProcessed(state.iterations() * grid.size());
}
BENCHMARK(BM_SwingPlan)->Args({64, 2})->Unit(benchmark::kMillisecond);

/// The verified runs of the same, 128 MiB. Items are ranks.
void BM_AllreduceOnTorus(benchmark::State& state, const char* name) {
  const Grid grid = square(state);
  std::string spec = "torus:" + std::to_string(state.range(0));
  for (int d = 1; d < grid.dimensions(); ++d) spec += 'x' + std::to_string(state.range(0));
  const Fabric fabric(parse_topology(spec), find_fabric_preset("trivance").settings);
  const Algorithm algorithm = find_algorithm(Collective::allreduce, name);
  const Shape shape{.ranks = grid.size(), .dims = grid.dims()};
  CollectiveCall call;
  call.name = algorithm.name;
  call.function = algorithm.run;
  call.count = Bytes(128_MiB).count() / 4;
  call.sampled = choose_sampled(call.count, algorithm.block_count(shape), grid.size(), 4, 64_MiB);
  for (auto _ : state)
    benchmark::DoNotOptimize(run_checked(fabric, linear_placement(grid.size(), fabric.topology()), call).completion);
  state.SetItemsProcessed(state.iterations() * grid.size());
}
BENCHMARK_CAPTURE(BM_AllreduceOnTorus, trivance_bandwidth, "trivance_bandwidth")
    ->Args({27, 2})
    ->Args({16, 3})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_AllreduceOnTorus, swing_bandwidth, "swing_bandwidth")->Args({64, 2})->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace heddle
