// SPDX-License-Identifier: Apache-2.0
// Ranks that are late, slow, throw or stop; messages that are lost or damaged: what a run does, and what its error says.
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;
using Kind = CheckError::Kind;
using Catch::Contains;

EmulationSettings with_faults(const std::vector<std::string>& specs, Threads threads = default_threads(),
                              std::string_view topology = "ring:4") {
  EmulationSettings settings;
  settings.threads = threads;
  const auto parsed = parse_topology(topology);
  settings.faults = parse_faults(specs, *parsed, parsed->endpoints());
  return settings;
}

/// From rank 0 to the last and back: rank r makes its call number 1 at r·(1 us + 400 ns + 4 ns) or so.
void line_sum(Communicator& comm) {
  std::vector<std::int32_t> vector(1, comm.rank().value());
  line_allreduce(comm, vector, ReduceOp::sum());
}

CollectiveCall direct_allreduce() {
  return {.collective = Collective::allreduce,
          .function = testing::direct(Collective::allreduce),
          .name = "direct",
          .count = 6,
          .sampled = 6};
}

Report checked_on_ring(const EmulationSettings& settings) {
  const Fabric fabric = fabric_of("ring:4");
  return run_checked(fabric, linear_placement(4, fabric.topology()), direct_allreduce(), settings);
}

std::string checked_error(const EmulationSettings& settings, Kind kind) {
  try {
    checked_on_ring(settings);
  } catch (const CheckError& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "passed";
}

}  // namespace

TEST_CASE("a rank that throws is named with its call and who waits for it") {
  const CheckError error =
      check_error_of(fabric_of("ring:4"), line_sum, with_faults({"rank:1,throws,call=3"}, each_kind_of_threads()));
  CHECK(error.kind() == Kind::rank_failed);
  // Its first two calls are irecv and wait.
  CHECK(std::string(error.what()) ==
        "rank 1 failed at 1.404us: call 3, reduce_into(), fault rank:1,throws,call=3; ranks 0, 2 wait for it");
}

TEST_CASE("a rank that throws from a time on does so when it next calls") {
  const CheckError error =
      check_error_of(fabric_of("ring:4"), line_sum, with_faults({"rank:2,throws,at=2us"}, each_kind_of_threads()));
  CHECK_THAT(error.what(), Contains("rank 2 failed at 2.808us: call 3, reduce_into(), fault rank:2,throws,at=2us"));
}

TEST_CASE("a rank that stops is named, and everyone who waits for it") {
  const CheckError error =
      check_error_of(fabric_of("ring:4"), line_sum, with_faults({"rank:2,stops,call=4"}, each_kind_of_threads()));
  CHECK(error.kind() == Kind::deadlock);
  CHECK_THAT(error.what(), Contains("rank 1 waits to receive 1 x i32 from rank 2 (tag 1)") &&
                               Contains("\n  cause: rank 2 stopped at 2.808us (call 4, isend(), fault rank:2,stops,call=4); "
                                        "ranks 1, 3 wait for it"));
}

TEST_CASE("a rank that stops when all others have what they need is an error as well") {
  const CheckError error = check_error_of(
      fabric_of("ring:4"),
      [](Communicator& comm) {
        std::vector<std::int32_t> data(1), more(1);
        if (comm.rank() == Rank(0)) comm.send(Rank(1), data);
        if (comm.rank() == Rank(1)) comm.recv(Rank(0), data), comm.copy(more, data);
      },
      with_faults({"rank:1,stops,call=3"}, each_kind_of_threads()));
  CHECK(error.kind() == Kind::rank_failed);
  CHECK_THAT(error.what(), Contains("cause: rank 1 stopped at 1.404us (call 3, copy(), fault rank:1,stops,call=3); nobody "
                                    "waits for it yet"));
}

TEST_CASE("a call in a rank's task counts from where the rank was") {
  const auto program = [](Communicator& comm) {
    std::vector<std::int32_t> data(2);
    if (comm.rank() == Rank(0)) comm.copy(std::span(data).first(1), std::span(data).last(1));  // call 1
    comm.concurrently(2, [&](int task, Communicator& own) {                                    // call 2
      const std::span mine = std::span(data).subspan(static_cast<std::size_t>(task), 1);
      if (own.rank() == Rank(0)) own.send(Rank(1), mine);  // calls 3, 4
      if (own.rank() == Rank(1)) own.recv(Rank(0), mine);
    });
    if (comm.rank() == Rank(0)) comm.send(Rank(1), data);  // calls 5, 6
    if (comm.rank() == Rank(1)) comm.recv(Rank(0), data);
  };
  const Threads threads = each_kind_of_threads();
  CHECK_THAT(check_error_of(fabric_of("ring:2"), program, with_faults({"rank:0,throws,call=4"}, threads, "ring:2")).what(),
             Contains("call 4, wait_all()"));
  CHECK_THAT(check_error_of(fabric_of("ring:2"), program, with_faults({"rank:0,throws,call=5"}, threads, "ring:2")).what(),
             Contains("call 5, isend()"));
  CHECK(run_on(fabric_of("ring:2"), program, with_faults({"rank:0,throws,call=7"}, threads, "ring:2")).idle_faults ==
        std::vector<std::string>{"rank:0,throws,call=7"});
}

TEST_CASE("a late rank begins then, and the others wait") {
  const Threads threads = each_kind_of_threads();
  // 4 bytes to the next: 1 us + 4 ns + 400 ns.
  const auto program = at_once({{0, 1, 4}, {2, 3, 4}});
  const Report report = run_on(fabric_of("ring:4"), program, with_faults({"rank:0,late=20us"}, threads));
  CHECK(report.ranks[1].completion == 21'404_ns);
  CHECK(report.ranks[3].completion == 1'404_ns);
  CHECK(report.idle_faults.empty());
  // The data of a checked run is prepared before; what is measured begins at 0 for the others.
  CHECK(checked_on_ring(with_faults({"rank:0,late=20us"}, threads)).ranks[0].completion > 20_us);
}

TEST_CASE("a slow rank takes longer over what is its own") {
  FabricSettings speeds = nanosecond_speeds();
  speeds.send_overhead = 10_ns;
  speeds.recv_overhead = 30_ns;
  speeds.gamma = 1e-9;
  const Fabric fabric = fabric_of("ring:2", speeds);
  const auto program = [](Communicator& comm) {
    carry(comm, {{0, 1, 100}});
    if (comm.rank() == Rank(1)) compute(comm, 1000);
  };
  const Threads threads = each_kind_of_threads();
  // o_s + α + 100 ns + L + o_r + γ·1000
  CHECK(run_on(fabric, program, on(threads)).completion == 10_ns + 1_us + 100_ns + 400_ns + 30_ns + 1_us);
  CHECK(run_on(fabric, program, with_faults({"rank:0,slow=3"}, threads, "ring:2")).completion ==
        30_ns + 3_us + 100_ns + 400_ns + 30_ns + 1_us);
  CHECK(run_on(fabric, program, with_faults({"rank:1,slow=3"}, threads, "ring:2")).completion ==
        10_ns + 1_us + 100_ns + 400_ns + 90_ns + 3_us);
}

TEST_CASE("a lost message is named by those who wait for it") {
  const CheckError error = check_error_of(fabric_of("ring:4"), at_once({{0, 1, 4}, {0, 1, 8}, {2, 1, 4}}),
                                          with_faults({"message:0->1,lost"}, each_kind_of_threads()));
  CHECK(error.kind() == Kind::deadlock);
  CHECK_THAT(error.what(),
             Contains("rank 1 waits to receive 4 bytes from rank 0") &&
                 Contains("\n  cause: the message of 4 bytes from rank 0 to rank 1 (tag 0) was lost on its way at "
                          "1.408us (message 1 from rank 0 to rank 1, fault message:0->1,lost)") &&
                 !Contains("not asked for"));
}

TEST_CASE("the n-th message of a pair is lost under any buffering") {
  for (const char* buffering : {"eager", "sync", "1", "2"}) {
    INFO(buffering);
    EmulationSettings settings = with_faults({"message:0->1,lost,nth=2"});
    settings.buffering = parse_buffering(buffering);
    const CheckError error = check_error_of(fabric_of("ring:4"), at_once({{0, 1, 4}, {0, 1, 8}, {0, 1, 12}}), settings);
    CHECK(error.kind() == Kind::deadlock);
    CHECK_THAT(error.what(), Contains("cause: the message of 8 bytes") && Contains("message 2 from rank 0 to rank 1"));
  }
}

TEST_CASE("a damaged message is detected, whatever is done with it") {
  const Threads threads = each_kind_of_threads();
  const CheckError error =
      check_error_of(fabric_of("ring:4"), at_once({{0, 1, 8}}), with_faults({"message:0->1,damaged,byte=5"}, threads));
  CHECK(error.kind() == Kind::damaged);
  CHECK_THAT(error.what(), Contains("the message of 8 bytes from rank 0 to rank 1 (tag 0) arrived damaged on rank 1 at "
                                    "1.408us: byte 5 of 8 is 0x") &&
                               Contains("and 0x00 was sent (message 1 from rank 0 to rank 1, fault "
                                        "message:0->1,damaged,byte=5)"));
  // A message of no bytes has none to damage.
  CHECK(run_on(fabric_of("ring:4"), at_once({{0, 1, 0}}), with_faults({"message:0->1,damaged"}, threads)).idle_faults ==
        std::vector<std::string>{"message:0->1,damaged"});
}

TEST_CASE("an unreliable fabric strikes as its seed says") {
  std::vector<Transfer> many;
  for (int i = 0; i < 50; ++i) many.push_back({i % 4, (i + 1) % 4, 4});
  const auto error_of = [&](const char* spec) {
    return std::string(check_error_of(fabric_of("ring:4"), at_once(many), with_faults({spec})).what());
  };
  CHECK_THAT(error_of("unreliable:lost=10%,seed=2"),
             Contains("was lost on its way") && Contains("fault unreliable:lost=0.1,seed=2"));
  CHECK(error_of("unreliable:lost=10%,seed=2") == error_of("unreliable:lost=10%,seed=2"));
  CHECK(error_of("unreliable:lost=10%,seed=2") != error_of("unreliable:lost=10%,seed=3"));
  CHECK_THAT(error_of("unreliable:damaged=1"), Contains("arrived damaged"));
  CHECK_NOTHROW(run_on(fabric_of("ring:4"), at_once(many), with_faults({"unreliable:lost=0"})));
}

TEST_CASE("a checked run has its faults in the call that is measured alone") {
  const Threads threads = each_kind_of_threads();
  CHECK_THAT(checked_error(with_faults({"rank:2,stops"}, threads), Kind::deadlock),
             Contains("cause: rank 2 stopped at 0ps (call 1, ") && Contains("wait for it"));
  CHECK_THAT(checked_error(with_faults({"rank:2,throws,call=2"}, threads), Kind::rank_failed), Contains("rank 2 failed"));
  CHECK_THAT(checked_error(with_faults({"message:1->3,lost"}, threads), Kind::deadlock), Contains("fault message:1->3,lost"));
  CHECK_THAT(checked_error(with_faults({"message:1->3,damaged"}, threads), Kind::damaged), Contains("on rank 3"));
  // One message each way and call: the second one would be the second call's.
  CHECK(checked_on_ring(with_faults({"message:1->3,lost,nth=2", "rank:0,throws,at=1ms"}, threads)).idle_faults ==
        std::vector<std::string>{"rank:0,throws,at=1ms", "message:1->3,lost,nth=2"});
}

TEST_CASE("groups have the faults of their own ranks") {
  const Fabric fabric = fabric_of("ring:4");
  const auto error_of = [&](const char* spec) -> std::string {
    try {
      run_checked_groups(fabric, linear_placement(4, fabric.topology()), {{0, 1}, {3, 2}}, direct_allreduce(),
                         with_faults({spec}));
    } catch (const CheckError& error) {
      return error.what();
    }
    return "passed";
  };
  CHECK_THAT(error_of("rank:3,stops"), Contains("cause: rank 3 stopped at 0ps") && Contains("rank 2 waits for it"));
  CHECK_THAT(error_of("message:2->3,lost"), Contains("from rank 2 to rank 3 (tag 0) was lost"));
  CHECK(error_of("message:1->2,lost") == "passed");
}

TEST_CASE("faults that a run cannot have are refused") {
  EmulationSettings settings;
  settings.faults.ranks.push_back({.kind = RankFault::Kind::stops, .rank = 4});
  CHECK_THROWS_AS(run_on(fabric_of("ring:4"), line_sum, settings), InputError);
  settings = with_faults({"rank:0,stops"});
  settings.wall.emplace();
  CHECK_THROWS_WITH(run_on(fabric_of("ring:4"), line_sum, settings), Contains("the wall clock serves no faults"));
  settings = with_faults({"link:0->1,down"});
  settings.model = Model::alpha_beta;
  CHECK_THROWS_WITH(run_on(fabric_of("ring:4"), line_sum, settings), Contains("the alpha-beta model knows no faults of links"));
}

}  // namespace heddle
