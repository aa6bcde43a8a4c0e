// SPDX-License-Identifier: Apache-2.0
// Several groups of ranks call at once: each right, each in its own time, in each other's way where they share links.
#include <string>
#include <utility>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace heddle::literals;
using Groups = std::vector<std::vector<int>>;

/// Each pair of ranks 2i, 2i+1 of the communicator exchanges its vector; only two ranks make a sum of all.
void swap_allreduce(Communicator& comm, const CollectiveArguments& call) {
  Buffer other(call.output.type(), call.output.count());
  const Rank peer(1 - comm.rank().value());
  comm.sendrecv(peer, call.output, peer, other.view());
  comm.reduce_into(call.output, other.view(), *call.op);
}

CollectiveCall call_of(CollectiveFunction function, std::int64_t count) {
  CollectiveCall call;
  call.function = std::move(function);
  call.name = "planted";
  call.count = call.sampled = count;
  return call;
}

GroupsReport run(std::string_view topology, const Groups& groups, const CollectiveCall& call,
                 const EmulationSettings& settings = {}) {
  const Fabric fabric = fabric_of(topology);
  return run_checked_groups(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), groups, call, settings);
}

}  // namespace

TEST_CASE("groups: those that share no link do not disturb each other") {
  // ring:8, 1 B/ns: a pair of neighbours exchanges 4000 B in α + ℓ + h + m/B = 1 us + 400 ns + 4 us.
  const GroupsReport report = run("ring:8", {{0, 1}, {2, 3}, {7, 6}}, call_of(swap_allreduce, 1000));
  CHECK(report.completion == std::vector<Time>{5'400_ns, 5'400_ns, 5'400_ns});
  CHECK(report.report.completion == 5'400_ns);
  CHECK(report.report.messages() == 6);
  CHECK(report.report.ranks[4].completion == Time());  // in no group
}

TEST_CASE("groups: those that share a link share its bandwidth") {
  // mesh:4: pairs 0-2 and 1-3 meet on the link 1-2, each way, pair 0-1 and 2-3 on the links beside it.
  //   {0,2}, {1,3}: both cross 1-2 at 1/2 B/ns: 1 us + 2·400 ns + 2·4 us = 9.8 us
  //   {0,2} alone:  1 us + 2·400 ns + 4 us = 5.8 us
  CHECK(run("mesh:4", {{0, 2}, {1, 3}}, call_of(swap_allreduce, 1000)).completion == std::vector<Time>{9'800_ns, 9'800_ns});
  CHECK(run("mesh:4", {{0, 2}}, call_of(swap_allreduce, 1000)).completion == std::vector<Time>{5'800_ns});
  // A third pair on the link 0-1 alone with the first: there the rates are 1/2 each (0-1 is shared by two), on 1-2 as well.
  CHECK(run("mesh:4", {{0, 2}, {0, 1}}, call_of(swap_allreduce, 1000)).completion == std::vector<Time>{9'800_ns, 9'400_ns});
}

TEST_CASE("groups: those that overlap run as tasks of the ranks that they share, whatever the threads and the order") {
  // star:5: rank 0 takes part in both. Its port carries twice: 4000 B each at 1/2 B/ns.
  // α + L = 1 us + 500 ns; in 8 us, out 8 us.
  for (const Threads threads : {Threads::kernel, default_threads()}) {
    for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
      EmulationSettings settings;
      settings.threads = threads;
      settings.order_seed = seed;
      const GroupsReport report = run("star:5", {{0, 1}, {2, 0}, {3, 4}}, call_of(swap_allreduce, 1000), settings);
      CHECK(report.completion == std::vector<Time>{9'500_ns, 9'500_ns, 5'500_ns});
      CHECK(report.report.completion == 9'500_ns);
    }
  }
}

TEST_CASE("groups: ranks are numbered in the order given, roots among them") {
  std::vector<int> ranks_of_run(6, -1);
  CollectiveCall call = call_of(
      [&ranks_of_run](Communicator& comm, const CollectiveArguments& args) {
        ranks_of_run[static_cast<std::size_t>(comm.rank().value())] = comm.size();
        const Rank peer(1 - comm.rank().value());
        if (comm.rank() == args.root)
          comm.send(peer, args.input);
        else
          comm.recv(peer, args.output);
      },
      10);
  call.collective = Collective::broadcast;
  call.root = Rank(1);
  const GroupsReport report = run("ring:6", {{5, 2}}, call);
  CHECK(ranks_of_run == std::vector<int>{2, 2, -1, -1, -1, -1});
  CHECK(report.report.ranks[2].messages == 1);  // the group's rank 1
  CHECK(report.report.ranks[5].messages == 0);
}

TEST_CASE("groups: one group of all ranks is a run") {
  const CollectiveCall call = call_of(central_allreduce, 500);
  const Fabric fabric = fabric_of("torus:2x3");
  const Placement placement = linear_placement(6, fabric.topology());
  const Report alone = run_checked(fabric, placement, call);
  const GroupsReport group = run_checked_groups(fabric, placement, {{0, 1, 2, 3, 4, 5}}, call);
  CHECK(group.report.completion == alone.completion);
  CHECK(group.completion == std::vector<Time>{alone.completion});
  // In another order the ranks are others, but all of them still.
  CHECK(run_checked_groups(fabric, placement, {{5, 4, 3, 2, 1, 0}}, call).report.messages() == alone.messages());
}

TEST_CASE("groups: each may make a call of its own, as long as all hold the same part of their data") {
  const Fabric fabric = fabric_of("ring:8");
  const Placement placement = linear_placement(8, fabric.topology());
  const Groups groups = {{0, 1}, {2, 3}};
  const auto run_both = [&](const std::vector<CollectiveCall>& calls) {
    return run_checked_groups(fabric, placement, groups, calls);
  };
  const CollectiveCall small = call_of(swap_allreduce, 1000);
  const CollectiveCall large = call_of(swap_allreduce, 2000);
  const GroupsReport report = run_both({small, large});
  CHECK(report.completion[0] == run("ring:8", {{0, 1}}, small).completion.front());
  CHECK(report.completion[1] == run("ring:8", {{2, 3}}, large).completion.front());
  CollectiveCall half = large;
  half.sampled = 1000;
  CHECK_THROWS_AS(run_both({small, half}), InputError);
  CHECK_THROWS_AS(run_both({small}), InputError);
}

TEST_CASE("groups: a wrong one is reported as a run of its own, with what its ranks are in the run") {
  const auto spoilt = [](Communicator& comm, const CollectiveArguments& call) {
    central_allreduce(comm, call);
    if (comm.size() == 3 && comm.rank() == Rank(1))
      comm.reduce_into(call.output.slice(2, 1), call.output.slice(2, 1), *call.op);
  };
  try {
    run("ring:8", {{0, 1}, {7, 3, 4}}, call_of(spoilt, 5));
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::wrong_result);
    CHECK_THAT(error.what(),
               Catch::StartsWith(
                   "group 1 (ranks 3-4, 7 of the run), by the group's own ranks: wrong result of the first call: allreduce "
                   "'planted' of sum 5 i32, 3 ranks, seed 2\n") &&
                   Catch::Contains("element 2 on rank 1\n") && Catch::Contains("\n  provenance of element 2 on rank 1,") &&
                   Catch::Contains("cause: rank 1 combined the contributions of ranks 0-2 with itself"));
  }
}

TEST_CASE("groups: a wrong one that is right alone is told as that") {
  const auto goes_by_the_run = [](Communicator& comm, const CollectiveArguments& call) {
    central_allreduce(comm, call);
    if (comm.world_rank().value() >= comm.size()) comm.reduce_into(call.output, call.output, *call.op);
  };
  try {
    run("ring:8", {{0, 1, 2}, {3, 4, 5}}, call_of(goes_by_the_run, 5));
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK_THAT(error.what(),
               Catch::StartsWith("group 1 (ranks 3-5 of the run)") &&
                   Catch::Contains("and alone, in a run of its own ranks with the same data, the group is right: what "
                                   "goes wrong depends on the other groups, or on the ranks' numbers in the run "
                                   "(world_rank())") &&
                   !Catch::Contains("depends on the values"));
  }
}

TEST_CASE("groups: what is sent in one is not received in another") {
  // Rank 0 of each group sends to its rank 1, with one tag; the groups cross.
  const GroupsReport report = run("star:4", {{0, 1}, {1, 0}, {2, 1}, {0, 3}}, call_of(swap_allreduce, 7));
  CHECK(report.report.messages() == 8);
}

TEST_CASE("groups: barriers hold in each group") {
  CollectiveCall call = call_of(
      [](Communicator& comm, const CollectiveArguments&) {
        std::vector<std::byte> none;
        for (int distance = 1; distance < comm.size(); distance *= 2) {
          const Rank to((comm.rank().value() + distance) % comm.size());
          const Rank from((comm.rank().value() + comm.size() - distance) % comm.size());
          comm.sendrecv(to, ConstVectorView(none.data(), 0, Datatype::i32()), from,
                        VectorView(none.data(), 0, Datatype::i32()));
        }
      },
      0);
  call.collective = Collective::barrier;
  CHECK(run("ring:6", {{0, 1, 2, 3}, {2, 3, 4, 5}, {5, 0}}, call).completion.size() == 3);
}

TEST_CASE("groups that there are not are refused") {
  const auto refusal = [](const Groups& groups) {
    try {
      run("ring:4", groups, call_of(central_allreduce, 4));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal({}) == "no group of ranks to call with");
  CHECK(refusal({{0, 1}, {}}) == "a run needs at least one rank");
  CHECK(refusal({{0, 4}}) == "rank 4 in a group: ranks are 0 to 3");
  CHECK(refusal({{0, -1}}) == "rank -1 in a group: ranks are 0 to 3");
  CHECK(refusal({{0, 1, 0}}) == "rank 0 is in one group twice");
}

}  // namespace heddle
