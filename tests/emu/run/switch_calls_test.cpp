// SPDX-License-Identifier: Apache-2.0
// Operations of the switches, gathered from ranks: the test plays the network.
#include "emu/run/emulation.hpp"

#include <array>
#include <vector>

#include "heddle/collective.hpp"
#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

/// Two ranks under one switch that computes.
struct SwitchTest {
  SwitchTest()
      : fabric(fabric_of("star:2,alu,multicast")),
        placement(linear_placement(2, fabric.topology())),
        groups(fabric, placement) {
    groups.let_switches_compute({});
    world = groups.make_world();
    for (int rank = 0; rank < 2; ++rank) run.tasks.begin(static_cast<TaskId>(rank)).rank = rank;
    for (std::size_t r = 0; r < 2; ++r) {
      inputs[r] = {static_cast<std::int32_t>(r) + 1, 10};
      outputs[r].resize(2);
      arguments[r] = {.input = ConstVectorView(inputs[r]), .output = VectorView(outputs[r]), .op = &ReduceOp::sum()};
    }
  }

  void ask(int rank, Collective collective = Collective::allreduce) {
    calls.take(static_cast<TaskId>(rank), {world, rank, 0, 0, collective, &arguments[static_cast<std::size_t>(rank)]});
  }

  Fabric fabric;
  Placement placement;
  GroupMaker groups;
  std::shared_ptr<const Group> world;
  ManualEngine engine;
  RunState run{engine, RankCosts(fabric.settings(), 1, false), 2};
  AloneTimes alone{fabric, false};
  NotedNetwork network{fabric, alone};
  SwitchCalls calls{run, network, alone};
  std::array<std::vector<std::int32_t>, 2> inputs;
  std::array<std::vector<std::int32_t>, 2> outputs;
  std::array<CollectiveArguments, 2> arguments;
};

}  // namespace

TEST_CASE("switch calls: started α after the last rank has asked, and every rank goes on when it has streamed") {
  SwitchTest test;
  test.ask(1);
  CHECK_FALSE(test.engine.has_alarm());
  int peer = -1;
  CHECK(test.calls.describe_wait(test.run.tasks[1], peer) == "in an in-network allreduce for rank 0");
  CHECK(peer == 0);
  CHECK(test.calls.wait_for(test.run.tasks[1], 0));
  CHECK_FALSE(test.calls.wait_for(test.run.tasks[1], 1));

  test.engine.time = 3_us;
  test.ask(0);
  test.engine.ring_next();
  CHECK(test.engine.time == 4_us);
  REQUIRE(test.network.streams.size() == 1);
  CHECK(test.outputs[0] == std::vector<std::int32_t>{3, 20});
  CHECK(test.outputs[1] == test.outputs[0]);

  test.calls.streamed(test.network.streams.front());
  while (test.engine.has_alarm()) test.engine.ring_next();
  CHECK(test.engine.woken.size() == 2);
  CHECK(test.run.tasks[0].path.parts.startup == 1_us);
}

TEST_CASE("switch calls: ranks that ask for different things fail the run") {
  SwitchTest test;
  test.ask(0);
  test.ask(1, Collective::barrier);
  CHECK(test.engine.has_stopped);
  CHECK_THROWS_WITH(test.run.failure.rethrow(),
                    Catch::Contains("rank 1 calls an in-network barrier of 2 x i32 where rank 0 calls an "
                                    "in-network allreduce of sum 2 x i32"));
}

TEST_CASE("switch calls: a second call takes no time") {
  SwitchTest test;
  for (int rank = 0; rank < 2; ++rank) test.run.ranks.begin_second_call(rank);
  test.ask(0);
  test.ask(1);
  CHECK_FALSE(test.engine.has_alarm());
  CHECK(test.network.streams.empty());
  CHECK(test.engine.woken.size() == 2);
  CHECK(test.outputs[0] == std::vector<std::int32_t>{3, 20});
}

}  // namespace heddle::emu
