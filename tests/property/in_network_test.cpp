// SPDX-License-Identifier: Apache-2.0
// What the switches compute is what ranks compute: on any switched fabric, in any groups at once, for any root, blocks and
// operation, bit for bit on integers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "emu/data/call_layout.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/collective.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::in_network_property {

namespace {

struct Call {
  std::string topology;
  Collective collective = Collective::allreduce;
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();
  int root = 0;  ///< modulo the group's size
  std::int64_t each = 0;
  bool uneven = false;
  std::vector<int> colors;  ///< by rank: its group
  Routing routing;
  std::uint64_t seed = 1;

  emu::CallLayout layout(int ranks) const {
    std::vector<std::int64_t> blocks;
    for (int r = 0; r < ranks; ++r) blocks.push_back(uneven ? (each + 3 * r) % 7 : each);
    std::int64_t count = 0;
    for (const std::int64_t block : blocks) count += block;
    if (!has_blocks(collective)) blocks.clear();
    return {collective, ranks, count, blocks, Rank(has_root(collective) ? root % ranks : 0)};
  }
};

Call draw_call() {
  Call call;
  call.topology = drawn::one_of<std::string>(
      {"star:6", "star:13", "clos:hosts=4,leaves=3,spines=2", "fattree:k=4", "clos:hosts=2,leaves=4,spines=3,cables=2"});
  const int ranks = parse_topology(call.topology)->endpoints();
  call.topology += ",alu,multicast,a2a";
  call.collective = drawn::one_of({Collective::broadcast, Collective::reduce, Collective::allreduce, Collective::reduce_scatter,
                                   Collective::allgather, Collective::alltoall});
  call.type = drawn::one_of({Datatype::i32(), Datatype::u32(), Datatype::i64(), Datatype::u64()});
  call.op = drawn::one_of(
      {&ReduceOp::sum(), &ReduceOp::min(), &ReduceOp::max(), &ReduceOp::bit_and(), &ReduceOp::bit_or(), &ReduceOp::bit_xor()});
  call.root = drawn::number(0, ranks);
  call.each = drawn::number<std::int64_t>(0, 200);
  call.uneven = drawn::any<bool>();
  const int groups = drawn::number(1, 4);
  for (int r = 0; r < ranks; ++r) call.colors.push_back(drawn::number(0, groups));
  call.routing = drawn::one_of({Routing::split(), Routing::deterministic(), Routing::ecmp(5)});
  call.seed = drawn::number<std::uint64_t>(1, 1'000'000);
  return call;
}

/// Any bits, different for each rank.
void fill(VectorView vector, std::uint64_t seed, int rank) {
  std::uint64_t state = seed * 1'000'003 + static_cast<std::uint64_t>(rank);
  for (std::size_t b = 0; b < vector.size_bytes(); ++b) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    vector.data()[b] = static_cast<std::byte>(state >> 56);
  }
}

/// One rank's output of a row.
std::vector<std::byte> output_of(Communicator& comm, const Algorithm& algorithm, const Call& call, int world_rank) {
  const emu::CallLayout layout = call.layout(comm.size());
  Buffer input(call.type, layout.input(comm.rank()).count);
  Buffer output(call.type, layout.output(comm.rank()).count);
  fill(input.view(), call.seed, world_rank);
  algorithm.run(comm, {.input = input.view(),
                       .output = output.view(),
                       .op = call.op,
                       .root = layout.root(),
                       .blocks = layout.blocks(comm.rank()),
                       .received = layout.received(comm.rank())});
  const ConstVectorView result = std::as_const(output).view();
  return {result.data(), result.data() + result.size_bytes()};
}

Algorithm software(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
      return find_algorithm(collective, "binomial_halving");
    case Collective::alltoall:
      return find_algorithm(collective, "linear");
    default:
      return find_algorithm(collective, "ring");
  }
}

}  // namespace

TEST_CASE("the switches' results are those of ranks, bit for bit") {
  CHECK(testing::holds("in network and in software", 1000, 25'000, [] {
    const Call call = draw_call();
    RC_LOG() << fmt::format("{} on {}, {} {}, root {}, {} each{}, groups {}, seed {}\n", to_string(call.collective),
                            call.topology, call.op->name(), to_string(call.type), call.root, call.each,
                            call.uneven ? " about" : "", fmt::join(call.colors, ""), call.seed);
    FabricSettings settings;
    settings.routing = call.routing;
    const Fabric fabric(parse_topology(call.topology), settings);
    const Algorithm switches = find_algorithm(call.collective, "in_network");
    const Algorithm ranks = software(call.collective);
    std::vector<char> same(call.colors.size(), 0);
    const Placement placement = linear_placement(fabric.topology().endpoints(), fabric.topology());
    emulate(fabric, placement, [&](Communicator& world) {
      const int rank = world.rank().value();
      const auto group = world.split(call.colors[static_cast<std::size_t>(rank)], rank);
      const std::vector<std::byte> mine = output_of(*group, switches, call, rank);
      same[static_cast<std::size_t>(rank)] = mine == output_of(*group, ranks, call, rank) ? 1 : 0;
    });
    RC_ASSERT(std::count(same.begin(), same.end(), 1) == static_cast<std::ptrdiff_t>(same.size()));
  }));
}

}  // namespace heddle::in_network_property
