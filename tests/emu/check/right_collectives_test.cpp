// SPDX-License-Identifier: Apache-2.0
// Checked runs of all collectives: what is right passes, is measured as docs/model.md has it, and calls that cannot be made are
// refused. checked_run_test.cpp has what does not depend on the collective.
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/check/planted_calls.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::planted {

namespace {

using namespace literals;
using testing::direct;

}  // namespace

TEST_CASE("checked collectives: each passes when it is right, wherever its vectors are, whoever is the root") {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {1, 2, 3, 8}) {
      for (const std::int64_t count : {0, 1, 7, 48}) {
        for (const bool in_place : {true, false}) {
          CollectiveCall call = call_of(collective, direct(collective), in_place, ranks / 2);
          call.count = call.sampled = collective == Collective::alltoall ? count / ranks * ranks : count;
          INFO(to_string(collective) << " of " << call.count << ", " << ranks << " ranks" << (in_place ? ", in place" : ""));
          const bool moves = ranks > 1 && (collective == Collective::barrier || call.count > 1);
          const Time completion = run(call, ranks).completion;
          CHECK((completion > Time()) >= moves);
          if (ranks == 1) CHECK(completion == Time());
        }
      }
    }
  }
}

TEST_CASE("checked collectives: elements of every type are moved, and blocks of any size") {
  std::vector<Datatype> types = builtin_datatypes();
  types.insert(types.end(), {Datatype::user(1), Datatype::user(7), affine_type()});
  for (const Collective collective : all_collectives()) {
    if (!has_blocks(collective)) continue;
    for (const Datatype type : types) {
      if (reduces(collective) && type.kind() == Datatype::Kind::user) continue;
      for (const bool in_place : {true, false}) {
        CollectiveCall call = call_of(collective, direct(collective), in_place, 1);
        call.type = type;
        call.blocks = {3, 0, 9, 1, 0};
        call.count = call.sampled = 13;
        INFO(to_string(collective) << " of " << to_string(type) << (in_place ? ", in place" : ""));
        CHECK(run(call).completion > Time());
      }
    }
  }
}

TEST_CASE("checked collectives: in place, the rest of a reduce_scatter's vector may be anything") {
  const auto trash = [](Communicator& comm, const CollectiveArguments& call) {
    const int next = (comm.rank().value() + 1) % comm.size();
    std::memset(call.blocks.block(call.output, next).data(), 7, 16);
  };
  CHECK(run(call_of(Collective::reduce_scatter, then(Collective::reduce_scatter, trash))).completion > Time());
}

TEST_CASE("checked collectives: only the first call is measured, at the root that was asked for") {
  // Star, α = 0, L = 200 ns. The root of a gather receives 4 blocks of 400 kB through one port: 4·8 µs + L.
  CollectiveCall call = call_of(Collective::gather, direct(Collective::gather), true, 2);
  call.count = 500'000;
  call.sampled = 500;
  const Report report = run(call);
  CHECK(report.completion == 32'200_ns);
  CHECK(report.byte_scale == 1000);
  CHECK(report.ranks[2].messages == 0);
  CHECK(report.ranks[2].received == Bytes(1'600'000));
  CHECK(report.ranks[3].messages == 1);
  CHECK(report.messages() == 4);
  CHECK(report.host.messages == 8);
}

TEST_CASE("checked collectives: calls that cannot be made") {
  const auto refusal = [](Collective collective, const std::function<void(CollectiveCall&)>& change) {
    CollectiveCall call = call_of(collective, direct(collective));
    change(call);
    try {
      run(call);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto with_blocks = [](std::vector<std::int64_t> blocks) {
    return [blocks](CollectiveCall& call) { call.blocks = blocks; };
  };
  CHECK(refusal(Collective::reduce, [](CollectiveCall& call) { call.root = Rank(5); }) == "root 5: ranks are 0 to 4");
  CHECK(refusal(Collective::reduce, [](CollectiveCall& call) { call.root = Rank(-1); }) == "root -1: ranks are 0 to 4");
  CHECK(refusal(Collective::allreduce, [](CollectiveCall& call) { call.root = Rank(5); }) == "accepted");
  CHECK(refusal(Collective::alltoall, [](CollectiveCall& call) { call.count = call.sampled = 21; }) ==
        "alltoall of 21 elements (21 held): 5 ranks must divide them");
  CHECK(refusal(Collective::broadcast, with_blocks({4, 4, 4, 4, 4})) == "broadcast has no blocks to give sizes of");
  CHECK(refusal(Collective::gather, with_blocks({10, 10})) == "2 sizes of blocks for 5 ranks: one for each is needed");
  CHECK(refusal(Collective::gather, with_blocks({10, 10, 1, -1, 0})) == "a block's size must not be negative");
  CHECK_THAT(refusal(Collective::gather, with_blocks({10, 10, 1, 0, 0})), Catch::StartsWith("blocks of 21 elements in all"));
  CHECK_THAT(refusal(Collective::gather,
                     [](CollectiveCall& call) {
                       call.blocks = {20, 20, 0, 0, 0};
                       call.count = 40;
                     }),
             Catch::StartsWith("blocks of 40 elements in all, 20 of 40 held"));
}

TEST_CASE("checked collectives: nothing right is ever called too fast or wrong") {
  testing::property("any collective, fabric, placement, root, blocks, type, speed and scale", [] {
    const Collective collective = drawn::one_of(all_collectives());
    FabricSettings settings;
    settings.tiers = {{.bandwidth = drawn::one_of({Bandwidth(1e3), Bandwidth(50e9), Bandwidth::unlimited()}),
                       .latency = drawn::one_of({Time(), 1_ps, 100_ns})}};
    settings.hop = drawn::one_of({Time(), 300_ns});
    settings.alpha = drawn::one_of({Time(), 1_us});
    settings.routing = drawn::one_of({Routing::split(), Routing::deterministic()});
    const std::string spec = drawn::one_of<std::string>(
        {"ring:2", "ring:9", "torus:3x4", "torus:2x2x2", "mesh:5x2", "mesh:6", "star:7", "fullmesh:5"});
    const Fabric fabric(parse_topology(spec), settings);
    const int ranks = drawn::number(1, fabric.topology().endpoints() + 1);
    CollectiveCall call = call_of(collective, direct(collective), drawn::any<bool>(), drawn::number(0, ranks));
    call.seed = drawn::any<std::uint64_t>();
    call.type = drawn::one_of({Datatype::i32(), Datatype::f64(), Datatype::bf16()});
    if (has_blocks(collective) && drawn::any<bool>()) {
      for (int r = 0; r < ranks; ++r) call.blocks.push_back(drawn::number(0, 20) / 3);
      call.count = call.sampled = std::accumulate(call.blocks.begin(), call.blocks.end(), std::int64_t{0});
    } else if (collective != Collective::barrier) {
      call.sampled = drawn::number(0, 40);
      if (collective == Collective::alltoall) call.sampled *= ranks;
      call.count = call.sampled * drawn::one_of({1, 1, 3, 1000});
    }
    const Placement placement = random_placement(ranks, fabric.topology(), call.seed);
    EmulationSettings emulation;
    emulation.threads = Threads::kernel;
    if (default_threads() == Threads::user && drawn::any<bool>()) emulation.threads = Threads::user;
    emulation.buffering = drawn::one_of({Buffering::eager(), Buffering::synchronous()});
    const Report report = run_checked(fabric, placement, call, emulation);
    RC_ASSERT(report.ranks.size() == static_cast<std::size_t>(ranks));
    for (const RankReport& rank : report.ranks) RC_ASSERT(rank.completion <= report.completion);
  });
}

}  // namespace heddle::planted
