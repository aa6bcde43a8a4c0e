// SPDX-License-Identifier: Apache-2.0
// What contention costs: fair rates for many flows that start together; a route; a large fabric.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "emu/network/max_min.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::emu {

namespace {

constexpr int kSide = 64;

/// Four flows from each of 4,096 nodes of a 64×64 torus, one per direction, over `distance` links: 16,384 in all. They start,
/// get their rates, and end.
void BM_SolveTorus64x64(benchmark::State& state) {
  const auto topology = parse_topology("torus:64x64");
  const auto distance = static_cast<int>(state.range(0));
  std::vector<Route> routes;
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      const auto node = [](int row, int column) { return (row + kSide) % kSide * kSide + (column + kSide) % kSide; };
      for (const int to : {node(x + distance, y), node(x - distance, y), node(x, y + distance), node(x, y - distance)}) {
        topology->route(node(x, y), to, Routing::deterministic(), routes.emplace_back());
      }
    }
  }
  MaxMin max_min(std::vector<double>(static_cast<std::size_t>(topology->links()), 0.05));
  std::vector<FlowId> flows;
  for (auto _ : state) {
    flows.clear();
    for (const Route& route : routes) flows.push_back(max_min.add(route.links(), 1));
    benchmark::DoNotOptimize(max_min.solve().data());
    for (const FlowId flow : flows) max_min.remove(flow);
    max_min.solve();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(routes.size()));
  state.counters["flow_hops"] = static_cast<double>(routes.size()) * distance;
}
BENCHMARK(BM_SolveTorus64x64)->Arg(1)->Arg(3)->Arg(11)->Arg(21)->Unit(benchmark::kMillisecond);

/// A fabric of thousands of endpoints, with the speed of each of its links.
void BM_BuildFabric(benchmark::State& state, const char* spec) {
  FabricSettings settings;
  settings.tiers.resize(3);
  settings.tiers[1].latency = Time::ps(1);  // tiers that differ, so that each link has a speed of its own
  for (auto _ : state) benchmark::DoNotOptimize(Fabric(parse_topology(spec), settings));
}
BENCHMARK_CAPTURE(BM_BuildFabric, clos_8192, "clos:hosts=32,leaves=16,spines=16,cables=2,pods=16,cores=32")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_BuildFabric, fattree_27648, "fattree:k=48")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_BuildFabric, superpod_2304, "superpod:pods=32")->Unit(benchmark::kMillisecond);

void BM_Route(benchmark::State& state) {
  const auto topology = parse_topology("torus:64x64");
  const auto distance = static_cast<VertexId>(state.range(0));
  Route route;
  VertexId from = 0;
  for (auto _ : state) {
    topology->route(from, (from + distance) % topology->endpoints(), Routing::split(), route);
    benchmark::DoNotOptimize(route.links().data());
    from = (from + 1) % topology->endpoints();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Route)->Arg(1)->Arg(21);

}  // namespace

}  // namespace heddle::emu
