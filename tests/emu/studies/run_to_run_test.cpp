// SPDX-License-Identifier: Apache-2.0
// Results that are right in every order of events, and not the same.
#include "emu/studies/further_runs.hpp"

#include "emu/studies/explore.hpp"
#include "heddle/communicator.hpp"
#include "tests/catch.hpp"
#include "tests/emu/check/planted_calls.hpp"

namespace heddle {

namespace {

/// Rank 0 adds up what comes, as it comes, and sends everybody the sum.
void sums_as_it_comes(Communicator& comm, const CollectiveArguments& args) {
  const auto own = comm.split(0, comm.rank().value());
  if (own->rank() != Rank(0)) {
    own->send(Rank(0), args.input);
    own->recv(Rank(0), args.output, Tag(1));
    return;
  }
  if (!args.in_place()) own->copy(args.output, args.input);
  Buffer other(args.output.type(), args.output.count());
  for (int r = 1; r < own->size(); ++r) {
    own->recv(kAnySource, other.view());
    own->reduce_into(args.output, other.view(), *args.op);
  }
  for (int r = 1; r < own->size(); ++r) own->send(Rank(r), args.output, Tag(1));
}

struct Planted {
  Fabric fabric = planted::star();
  Placement placement = linear_placement(planted::kRanks, fabric.topology());
  std::vector<std::vector<int>> groups = {{0, 1, 2, 3, 4}};
  std::vector<CollectiveCall> calls = {planted::call_of(Collective::allreduce, sums_as_it_comes)};
  RunToRun runs{fabric, placement, groups, calls};

  explicit Planted(Datatype type) { calls.front().type = type; }
  void run(const EmulationSettings& settings) {
    runs.hold(settings, run_checked_groups(fabric, placement, groups, calls, settings).report);
  }
};

EmulationSettings in_order(std::uint64_t seed) {
  EmulationSettings settings;
  settings.order_seed = seed;
  settings.order = {.jitter = seed, .pick = seed, .delays = {}};
  return settings;
}

/// Of the first order in which the result is another one; empty: none.
std::string difference_of(Planted&& planted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    try {
      planted.run(in_order(seed));
    } catch (const CheckError& error) {
      CHECK(error.kind() == CheckError::Kind::run_to_run);
      return error.what();
    }
  }
  return "";
}

}  // namespace

TEST_CASE("a sum in the order in which messages come is right, and another one in another order") {
  CHECK_THAT(
      difference_of(Planted(Datatype::f32())),
      Catch::StartsWith("the result changes with the order of events, from run to run: allreduce 'planted' of sum 20 f32, 5 "
                        "ranks, seed 1\n  on rank 0 after call 1: ") &&
          Catch::Contains(" of 20 elements; the first is element ") && Catch::Contains(") in the usual order, ") &&
          Catch::Contains(") with --order-seed ") && Catch::Contains("both are within what roundings allow") &&
          Catch::Contains("rank 0 receives from any source"));
  CHECK(difference_of(Planted(Datatype::i32())).empty());
}

TEST_CASE("a call that does not promise the same bits in any order is not held to it") {
  Planted planted(Datatype::f32());
  planted.calls.front().same_bits_in_any_order = false;
  CHECK(difference_of(std::move(planted)).empty());
}

TEST_CASE("what is the same in any order passes in all") {
  Planted planted(Datatype::f32());
  planted.calls.front().function = testing::direct(Collective::allreduce);
  CHECK(difference_of(std::move(planted)).empty());
}

TEST_CASE("exploring orders finds the one that changes the result") {
  Planted planted(Datatype::f32());
  ExploreBound bound;
  bound.delays = 1;
  const Exploration found = explore([&](const EmulationSettings& settings) { planted.run(settings); }, {}, bound);
  REQUIRE_FALSE(found.passed());
  CHECK(found.failure->failure.kind == CheckError::Kind::run_to_run);
  CHECK_THAT(found.text(),
             Catch::Contains("of those explored is wrong: run_to_run: ") && Catch::Contains("\n  repeat: --order "));
}

}  // namespace heddle
