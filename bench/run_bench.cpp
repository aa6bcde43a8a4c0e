// SPDX-License-Identifier: Apache-2.0
// What whole verified runs cost, per message; whether that stays flat as ranks grow; and what the memory lets through.
#include <benchmark/benchmark.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

/// Items are messages.
void run(benchmark::State& state, const std::string& topology, const FabricSettings& settings, const CollectiveCall& call) {
  const Fabric fabric(parse_topology(topology), settings);
  const Placement placement = linear_placement(fabric.topology().endpoints(), fabric.topology());
  std::int64_t messages = 0;
  Time time;
  for (auto _ : state) {
    const Report report = run_checked(fabric, placement, call);
    messages += report.host.messages;
    time = report.completion;
  }
  state.SetItemsProcessed(messages);
  state.counters["virtual_us"] = time.seconds() * 1e6;
}

void run_allreduce(benchmark::State& state, const std::string& algorithm, const std::string& topology, Bytes size,
                   std::int64_t block_count, Bytes budget, const FabricSettings& settings) {
  CollectiveCall call;
  call.name = algorithm;
  call.function = find_algorithm(Collective::allreduce, algorithm).run;
  call.count = size.count() / 4;
  call.sampled = choose_sampled(call.count, block_count, parse_topology(topology)->endpoints(), 4, budget);
  run(state, topology, settings, call);
}

/// Everybody to everybody on a mesh, 256 KiB to each, in packets of 4 KiB. Items are packets times links.
void BM_PacketHops(benchmark::State& state, const char* model) {
  const Fabric fabric(parse_topology("mesh:8x8"), {});
  const Placement placement = linear_placement(fabric.topology().endpoints(), fabric.topology());
  CollectiveCall call;
  call.collective = Collective::alltoall;
  call.name = "linear";
  call.function = find_algorithm(Collective::alltoall, call.name).run;
  call.count = Bytes(16_MiB).count() / 4;
  call.sampled = choose_sampled(call.count, 64, 64, 4, 8_MiB);
  call.in_place = false;
  EmulationSettings settings;
  settings.model = parse_model(model);
  std::int64_t hops = 0;
  for (auto _ : state) hops += run_checked(fabric, placement, call, settings).packets->packet_hops;
  state.SetItemsProcessed(hops);
}
BENCHMARK_CAPTURE(BM_PacketHops, usual, "packets")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_PacketHops, unbounded, "packets:buffer=inf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_PacketHops, fifo, "packets:queues=fifo")->Unit(benchmark::kMillisecond);

const FabricSettings& swing_settings() { return find_fabric_preset("swing-nsdi24").settings; }

/// The ring's messages all cross one link (two at a row's end): equal hops at every size. Rounds grow with p, so the items are
/// messages.
void BM_RingPerMessage(benchmark::State& state) {
  const std::string side = std::to_string(state.range(0));
  run_allreduce(state, "ring", "torus:" + side + "x" + side, 1_MiB, state.range(0) * state.range(0), 16_MiB, swing_settings());
}
BENCHMARK(BM_RingPerMessage)->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

/// Swing's log₂p rounds on p ranks; hops grow with the side.
void BM_SwingPerMessage(benchmark::State& state) {
  const std::string side = std::to_string(state.range(0));
  const std::int64_t ranks = state.range(0) * state.range(0);
  run_allreduce(state, "swing_bandwidth", "torus:" + side + "x" + side, 64_MiB, 4 * ranks, 16_MiB, swing_settings());
}
BENCHMARK(BM_SwingPerMessage)->Arg(8)->Arg(16)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond);

/// One link per message at every size, and few rounds: neighbours on a ring exchange 64 times.
void BM_NeighborsPerMessage(benchmark::State& state) {
  const auto ranks = static_cast<int>(state.range(0));
  const Fabric fabric(parse_topology("ring:" + std::to_string(ranks)), swing_settings());
  const Placement placement = linear_placement(ranks, fabric.topology());
  std::int64_t messages = 0;
  for (auto _ : state) {
    const Report report = emulate(fabric, placement, [](Communicator& comm) {
      const Rank right((comm.rank().value() + 1) % comm.size());
      const Rank left((comm.rank().value() + comm.size() - 1) % comm.size());
      std::vector<std::int32_t> out(4);
      std::vector<std::int32_t> in(4);
      for (int round = 0; round < 64; ++round) comm.sendrecv(right, out, left, in);
    });
    messages += report.host.messages;
  }
  state.SetItemsProcessed(messages);
}
BENCHMARK(BM_NeighborsPerMessage)->RangeMultiplier(2)->Range(64, 4096)->Unit(benchmark::kMillisecond);

/// `block_bytes` from every rank to every other at once, all in the same timestamp.
CollectiveCall alltoall_at_once(int ranks, Bytes block_bytes) {
  CollectiveCall call;
  call.collective = Collective::alltoall;
  call.name = "linear";
  call.function = find_algorithm(Collective::alltoall, "linear").run;
  call.in_place = false;
  call.count = ranks * block_bytes.count() / 4;
  return call;
}

/// 65,280 messages on a 16×16 torus, which all end together.
void BM_AlltoallAtOnce(benchmark::State& state) {
  CollectiveCall call = alltoall_at_once(256, 16_KiB);
  call.sampled = choose_sampled(call.count, 256, vectors_held(Collective::alltoall, 256, false), 4, 64_MiB);
  run(state, "torus:16x16", FabricSettings(), call);
}
BENCHMARK(BM_AlltoallAtOnce)->Unit(benchmark::kMillisecond);

/// Blocks of many sizes on an s×s torus: hardly two messages end together, and at each end all rates change.
void BM_AlltoallOneByOne(benchmark::State& state) {
  const auto side = static_cast<int>(state.range(0));
  CollectiveCall call = alltoall_at_once(side * side, 1_KiB);
  for (int block = 0; block < side * side; ++block) call.blocks.push_back(1 + block * block % 509);
  call.count = call.sampled = std::accumulate(call.blocks.begin(), call.blocks.end(), std::int64_t{0});
  run(state, "torus:" + std::to_string(side) + "x" + std::to_string(side), FabricSettings(), call);
}
BENCHMARK(BM_AlltoallOneByOne)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);

/// Nothing but memory: 4,096 real KiB on each of 8 ranks over links without limits. Bytes are algorithmic: of one rank's
/// vector, per call (a run makes two, checked).
void BM_RingInMemory(benchmark::State& state) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  const Bytes size = 4096_KiB;
  run_allreduce(state, "ring", "ring:8", size, 8, 1_GiB, settings);
  state.SetBytesProcessed(state.iterations() * 2 * size.count());
}
BENCHMARK(BM_RingInMemory)->Unit(benchmark::kMillisecond);

/// The yardstick beside it: a copy of one such vector.
void BM_Memcpy(benchmark::State& state) {
  std::vector<char> from(4096 << 10, 'x');
  std::vector<char> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(from.size()));
}
BENCHMARK(BM_Memcpy)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace heddle
