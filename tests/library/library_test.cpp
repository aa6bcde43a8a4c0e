// SPDX-License-Identifier: Apache-2.0
// What users include, where examples/ do not show it.
#include <algorithm>
#include <heddle/registry.hpp>
#include <heddle/run.hpp>
#include <heddle/sweep.hpp>

#include "tests/catch.hpp"

namespace heddle {

using namespace literals;

namespace {

void send_first(Communicator& comm) {
  std::vector<std::int32_t> mine(4);
  std::vector<std::int32_t> theirs(4);
  const Rank other(1 - comm.rank().value());
  comm.send(other, mine);
  comm.recv(other, theirs);
}

void do_nothing(Communicator&, const CollectiveArguments&) {}

}  // namespace

TEST_CASE("a record has what a call took, and the document of heddle run") {
  const Machine machine{.topology = "ring:4", .bandwidth = 1_GBps, .latency = 100_ns};
  const Record record = run(machine, Call{.algorithm = "ring", .size = 4_KiB});
  CHECK(record.passed());
  CHECK(record.completion == 6 * (100_ns + Time::ps(1'024'000)));
  CHECK(record.rounds == 6);
  CHECK(record.sent_max == 6_KiB);
  CHECK(record.ranks.size() == 4);
  CHECK(record.busiest.size() == 4);
  CHECK(record.busiest[0].bytes == 6_KiB);
  CHECK_THAT(record.json(), Catch::Contains("\"algorithm\": \"ring\"") && Catch::Contains("\"complete\": true"));
  CHECK(describe({"torus:2x3"}).dims == std::vector{2, 3});
}

TEST_CASE("what fails is in the record, and what check throws") {
  const Record record = run({"ring:3"}, Call{.function = do_nothing, .count = 5});
  REQUIRE(record.failure);
  CHECK(record.failure->kind == CheckError::Kind::wrong_result);
  CHECK((record.failure->facts.rank == 0 && record.failure->facts.missing == std::vector{1, 2}));
  CHECK_THAT(record.json(), Catch::Contains("wrong_result"));
  CHECK_THROWS_AS(check({"ring:3"}, Call{.function = do_nothing, .count = 5}), CheckError);
  CHECK_THROWS_AS(run({"ring:3"}, Call{.algorithm = "rung"}), InputError);
  const Settings stopped{.interrupted = [] { return true; }};
  CHECK_THROWS_AS(run({"ring:3"}, Call{.algorithm = "ring", .count = 5}, stopped), Error);
  CHECK_THROWS_AS(run({"ring:3"}, send_first, stopped), Error);
  CHECK_THROWS_AS(run({"ring:3"}, send_first, {.flags = "--no-such-flag"}), InputError);
}

TEST_CASE("flags of heddle run say the rest; least_credits counts what a program needs") {
  CHECK(run({"ring:2"}, send_first).passed());
  const Record record = run({"ring:2"}, send_first, {.flags = "--buffering sync"});
  REQUIRE(record.failure);
  CHECK(record.failure->kind == CheckError::Kind::deadlock);
  CHECK((record.failure->facts.cycle == std::vector{0, 1} && record.failure->facts.blocked.size() == 2));
  CHECK_THAT(record.json(), Catch::Contains("deadlock"));
  CHECK(least_credits({"ring:2"}, send_first).least == 1);
  CHECK(least_credits({"ring:4"}, Call{.algorithm = "ring", .count = 8}).least == 0);
}

TEST_CASE("an entry that was added is found by its name, here and in sweeps") {
  const Algorithm ring = find_algorithm(Collective::allreduce, "ring");
  add_entry({.collective = Collective::allreduce, .name = "my_ring", .run = ring.run, .same_bits = false});
  CHECK_THROWS_AS(add_entry({.collective = Collective::allreduce, .name = "my_ring", .run = ring.run}), InputError);
  CHECK(check({"ring:3"}, Call{.algorithm = "my_ring", .count = 6}).rounds == 4);
  const SweepTexts texts = sweep({"ring:3"}, {}, {.algorithms = "ring,my_ring", .sizes = {1_KiB, 2_KiB}, .latencies = {1_us}});
  CHECK_THAT(texts.table, Catch::Contains("my_ring"));
  CHECK(std::count(texts.csv.begin(), texts.csv.end(), '\n') == 5);
}

}  // namespace heddle
