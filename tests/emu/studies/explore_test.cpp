// SPDX-License-Identifier: Apache-2.0
// Exploring programs whose orders can be counted by hand, and ordering bugs of the usual kinds.
#include "emu/studies/explore.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "tests/whole_path.hpp"

namespace heddle {

namespace {

Exploration explore_on(const Fabric& fabric, const RankFunction& function, const ExploreBound& bound = {},
                       const EmulationSettings& settings = {}) {
  return explore(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), function, settings, bound);
}

ExploreBound no_more_than(int delays, std::int64_t seeds = 0) {
  ExploreBound bound;
  bound.delays = delays;
  bound.seeds = seeds;
  return bound;
}

void send_number(Communicator& comm, Rank to, std::int32_t number, Tag tag = {}) {
  comm.send(to, std::span<const std::int32_t>(&number, 1), tag);
}

std::int32_t take_number(Communicator& comm, Rank from, Tag tag = {}) {
  std::int32_t number = -1;
  comm.recv(from, std::span(&number, 1), tag);
  return number;
}

void demand(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// What rank 0 takes from all others, one number from each, in the order in which it comes.
std::vector<std::int32_t> take_from_all(Communicator& comm) {
  std::vector<std::int32_t> taken;
  for (int i = 1; i < comm.size(); ++i) taken.push_back(take_number(comm, kAnySource));
  return taken;
}

/// Each rank sends its number; rank 0 assumes that they come in rank order.
void assumes_rank_order(Communicator& comm) {
  if (comm.rank() != Rank(0)) return send_number(comm, Rank(0), comm.rank().value());
  demand(std::ranges::is_sorted(take_from_all(comm)), "not in rank order");
}

/// The same once all are there: rank 0 computes first.
void assumes_order_of_those_there(Communicator& comm) {
  if (comm.rank() != Rank(0)) {
    send_number(comm, Rank(0), comm.rank().value());
    if (comm.rank() == Rank(1)) send_number(comm, Rank(0), 0, Tag(1));
    return;
  }
  take_number(comm, Rank(1), Tag(1));
  demand(std::ranges::is_sorted(take_from_all(comm)), "not in rank order");
}

/// Two phases with one tag: rank 0 takes a fast rank's second message for a slow one's first.
void reuses_a_tag(Communicator& comm) {
  if (comm.rank() != Rank(0)) {
    send_number(comm, Rank(0), 1);
    send_number(comm, Rank(0), 2);
    return;
  }
  const std::vector<std::int32_t> first = take_from_all(comm);
  take_from_all(comm);
  demand(std::ranges::count(first, 1) == comm.size() - 1, "a second message among the first");
}

/// Rank 1 sends to rank 0, then to rank 2, which sends to rank 0 as well: rank 0 assumes that rank 1's message comes first.
void assumes_causal_order(Communicator& comm) {
  if (comm.rank() == Rank(1)) {
    send_number(comm, Rank(0), 1);
    send_number(comm, Rank(2), 1);
  } else if (comm.rank() == Rank(2)) {
    send_number(comm, Rank(0), take_number(comm, Rank(1)) + 1);
  } else if (comm.rank() == Rank(0)) {
    demand(take_number(comm, kAnySource) == 1, "rank 2 was faster");
    take_number(comm, kAnySource);
  }
}

/// Right whatever comes first.
void takes_all(Communicator& comm) {
  if (comm.rank() != Rank(0)) return send_number(comm, Rank(0), comm.rank().value());
  const std::vector<std::int32_t> taken = take_from_all(comm);
  demand(std::accumulate(taken.begin(), taken.end(), 0) == comm.size() * (comm.size() - 1) / 2, "a wrong sum");
}

/// The run that a failing order stands for.
EmulationSettings settings_of(const FailingOrder& failure) {
  EmulationSettings settings;
  settings.order_seed = failure.order_seed;
  settings.order = failure.order;
  return settings;
}

}  // namespace

TEST_CASE("explore: ordering bugs that the usual order hides are found, and their orders repeat them") {
  const Fabric star = fabric_of("star:4");
  const auto& [name, program] = GENERATE(table<std::string, void (*)(Communicator&)>({
      {"rank order", assumes_rank_order},
      {"order of those there", assumes_order_of_those_there},
      {"a tag of two phases", reuses_a_tag},
      {"causal order", assumes_causal_order},
  }));
  INFO(name);
  CHECK_NOTHROW(run_on(star, program));
  const Exploration found = explore_on(star, program, no_more_than(2));
  REQUIRE(found.failure);
  CHECK(found.failure->failure.kind == CheckError::Kind::rank_failed);
  CHECK(found.failure->order.delays.size() == 1);
  const CheckError again = check_error_of(star, program, settings_of(*found.failure));
  CHECK(again.what() == found.failure->failure.explanation);
  ExploredOrder read = parse_explored_order(to_string(found.failure->order));
  CHECK(read == found.failure->order);
  CHECK(found.text().find("repeat: --order delays:") != std::string::npos);
}

TEST_CASE("explore: seeds find orders of messages too") {
  const Fabric star = fabric_of("star:4");
  for (const auto& program : {assumes_rank_order, assumes_order_of_those_there, assumes_causal_order}) {
    const Exploration found = explore_on(star, program, no_more_than(0, 200));
    REQUIRE(found.failure);
    CHECK(found.with_delays == 1);
    CHECK(found.failure->order_seed == found.failure->order.jitter);
    CHECK(check_error_of(star, program, settings_of(*found.failure)).what() == found.failure->failure.explanation);
  }
}

TEST_CASE("explore: a deadlock of some order is a failure") {
  // The first that rank 0 hears gets an answer; only rank 1 waits for one.
  const auto answers_the_first = [](Communicator& comm) {
    if (comm.rank() != Rank(0)) {
      send_number(comm, Rank(0), comm.rank().value());
      if (comm.rank() == Rank(1)) take_number(comm, Rank(0));
      return;
    }
    const std::vector<std::int32_t> taken = take_from_all(comm);
    if (taken.front() == 1) send_number(comm, Rank(1), 0);
  };
  const Exploration found = explore_on(fabric_of("star:3"), answers_the_first);
  REQUIRE(found.failure);
  CHECK(found.failure->failure.kind == CheckError::Kind::deadlock);
  CHECK(found.failure->failure.explanation.find("rank 1") != std::string::npos);
}

TEST_CASE("explore: a program that is right in the usual order only because of it fails first with the fewest delays") {
  // Wrong if rank 3 is first and rank 1 last: two must be delayed.
  const auto wrong_backwards = [](Communicator& comm) {
    if (comm.rank() != Rank(0)) return send_number(comm, Rank(0), comm.rank().value());
    demand(take_from_all(comm) != std::vector<std::int32_t>{3, 2, 1}, "backwards");
  };
  const Exploration with_one = explore_on(fabric_of("star:4"), wrong_backwards, no_more_than(1));
  CHECK(with_one.passed());
  CHECK(with_one.complete_delays == 1);
  const Exploration with_more = explore_on(fabric_of("star:4"), wrong_backwards, no_more_than(3));
  REQUIRE(with_more.failure);
  CHECK(with_more.failure->order.delays.size() >= 2);
}

TEST_CASE("explore: all orders up to the bound are run once each") {
  // A rank that sends to another: rank 0 begins, and goes on when its message has drained; rank 1 begins; the message arrives;
  // rank 1 goes on. Five points, in any order of delays.
  const auto one_message = [](Communicator& comm) {
    if (comm.rank() == Rank(0)) send_number(comm, Rank(1), 5);
    if (comm.rank() == Rank(1)) demand(take_number(comm, Rank(0)) == 5, "not 5");
  };
  const Fabric pair = fabric_of("star:2");
  const Placement ranks = linear_placement(2, pair.topology());
  std::set<std::string> orders;
  std::size_t most_delays = 0;
  const auto run = [&](const EmulationSettings& settings) {
    CHECK(orders.insert(to_string(settings.order)).second);
    most_delays = std::max(most_delays, settings.order.delays.size());
    testing::require_whole_path(emulate(pair, ranks, one_message, settings));
  };
  const Exploration none = explore(run, {}, no_more_than(0));
  CHECK(none.points == 5);
  CHECK(none.orders() == 1);
  CHECK(none.complete_delays == 0);
  orders.clear();
  const Exploration all = explore(run, {}, no_more_than(2));
  CHECK(most_delays == 2);
  CHECK(all.complete_delays == 2);
  CHECK(all.with_delays == static_cast<std::int64_t>(orders.size()));
  CHECK(orders.contains("usual"));
  for (const char* one : {"delays:r0.1", "delays:r1.1", "delays:r0.2", "delays:m0-1.1", "delays:r1.2"})
    CHECK(orders.contains(one));
  CHECK(all.with_delays >= 1 + 5 + 5 * 4 / 2);
  CHECK(all.text().find("all with at most 2 delays; 5 points) and 0 seeds") != std::string::npos);
}

TEST_CASE("explore: bounds are kept") {
  const Fabric star = fabric_of("star:4");
  ExploreBound bound = no_more_than(3, 5);
  bound.orders = 20;
  const Exploration some = explore_on(star, takes_all, bound);
  CHECK(some.passed());
  CHECK(some.with_delays == 20);
  CHECK(some.seeded == 5);
  CHECK(some.complete_delays >= 0);
  CHECK(some.complete_delays < 3);
  int runs = 0;
  bound.is_stopped = [&runs] { return ++runs == 7; };
  const Exploration stopped = explore_on(star, takes_all, bound);
  CHECK(stopped.passed());
  CHECK(stopped.orders() < 20);

  CHECK_THROWS_AS(explore_on(star, takes_all, no_more_than(-1)), InputError);
  CHECK_THROWS_AS(explore_on(star, takes_all, no_more_than(1, -1)), InputError);
  bound = no_more_than(1);
  bound.orders = 0;
  CHECK_THROWS_AS(explore_on(star, takes_all, bound), InputError);
  EmulationSettings settings;
  settings.order.jitter = 1;
  CHECK_THROWS_AS(explore_on(star, takes_all, {}, settings), InputError);
  settings = {};
  settings.wall = WallClockSettings{};
  CHECK_THROWS_AS(explore_on(star, takes_all, {}, settings), InputError);
}

TEST_CASE("explore: a program that does not repeat itself is refused") {
  // The first run has three messages, the others have one.
  int runs = 0;
  const Fabric pair = fabric_of("star:2");
  const auto run = [&](const EmulationSettings& settings) {
    const int messages = runs++ == 0 ? 3 : 1;
    const auto program = [messages](Communicator& comm) {
      for (int i = 0; i < messages && comm.rank() == Rank(1); ++i) send_number(comm, Rank(0), i);
      for (int i = 0; i < messages && comm.rank() == Rank(0); ++i) take_number(comm, Rank(1));
    };
    emulate(pair, linear_placement(2, pair.topology()), program, settings);
  };
  CHECK_THROWS_AS(explore(run), InputError);
}

TEST_CASE("explore: orders are the same on user-level and on kernel threads") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const Fabric star = fabric_of("star:3");
  const Exploration here = explore_on(star, reuses_a_tag, no_more_than(2), settings);
  REQUIRE(here.failure);
  CHECK(here.orders() == 3);
  CHECK(here.failure->arguments() == "--order delays:r1.1");
  const Exploration right = explore_on(star, takes_all, no_more_than(1), settings);
  CHECK(right.passed());
  CHECK(right.with_delays == 10);
}

TEST_CASE("an order changes neither results nor the account of time; nobody asks, nothing changes") {
  testing::property("under any seeds and delays", [] {
    const Fabric fabric = fabric_of("ring:5");
    const auto program = [](Communicator& comm) {
      const Rank right((comm.rank().value() + 1) % comm.size());
      const Rank left((comm.rank().value() + comm.size() - 1) % comm.size());
      std::int32_t mine = comm.rank().value();
      for (int step = 0; step < 2; ++step) {
        std::int32_t theirs = -1;
        comm.sendrecv(right, std::span<const std::int32_t>(&mine, 1), left, std::span(&theirs, 1));
        demand(theirs == (comm.rank().value() + comm.size() - 1 - step) % comm.size(), "not the left one's");
        mine = theirs;
      }
      takes_all(comm);
    };
    EmulationSettings settings;
    std::vector<MetPoint> met;
    const Report usual = run_on(fabric, program, settings);
    settings.met_points = &met;
    const Report asked = run_on(fabric, program, settings);
    RC_ASSERT(asked.completion == usual.completion);
    RC_ASSERT(asked.critical_path.parts == usual.critical_path.parts);
    RC_ASSERT(!met.empty());
    const std::vector<MetPoint> points = met;
    const auto chosen = drawn::list([n = points.size()] { return drawn::number<std::size_t>(0, n); });
    for (const std::size_t i : chosen) {
      const Deviation deviation{points[i].point, 1};
      if (std::ranges::find(settings.order.delays, deviation) == settings.order.delays.end())
        settings.order.delays.push_back(deviation);
    }
    if (drawn::any<bool>()) settings.order.jitter = drawn::any<std::uint64_t>();
    if (drawn::any<bool>()) settings.order.pick = drawn::any<std::uint64_t>();
    const Report report = run_on(fabric, program, settings);
    testing::require_whole_path(report);
    RC_ASSERT(report.completion >= usual.completion);
    RC_ASSERT(report.messages() == usual.messages());
    RC_ASSERT(parse_explored_order(to_string(settings.order)) == settings.order);
  });
}

TEST_CASE("messages of one channel keep their order in every order") {
  const auto in_order = [](Communicator& comm) {
    for (int i = 0; i < 3 && comm.rank() != Rank(0); ++i) send_number(comm, Rank(0), i);
    if (comm.rank() != Rank(0)) return;
    std::array<std::int32_t, 3> next{};
    for (int i = 0; i < 6; ++i) {
      std::int32_t number = -1;
      const Status status = comm.recv(kAnySource, std::span(&number, 1));
      demand(number == next[static_cast<std::size_t>(status.peer.value())]++, "out of order");
    }
  };
  const Exploration all = explore_on(fabric_of("star:3"), in_order, no_more_than(2, 100));
  INFO(all.text());
  CHECK(all.passed());
  CHECK(all.complete_delays == 2);
}

TEST_CASE("a checked run is explored as well") {
  // Rank 0 puts blocks down in the order in which they come, which usually is that of the ranks. Another root is careful.
  const auto gather_as_they_come = [](Communicator& comm, const CollectiveArguments& args) {
    const std::int64_t block = 2;
    if (comm.rank() != args.root) return comm.send(args.root, args.input);
    comm.copy(args.output.slice(comm.rank().value() * block, block), args.input);
    for (int i = 0; i < comm.size(); ++i) {
      if (Rank(i) != comm.rank()) comm.recv(args.root == Rank(0) ? kAnySource : Rank(i), args.output.slice(i * block, block));
    }
  };
  const Fabric star = fabric_of("star:3");
  const Placement ranks = linear_placement(3, star.topology());
  CollectiveCall call{.collective = Collective::gather, .function = gather_as_they_come, .name = "as_they_come"};
  call.count = call.sampled = 6;
  call.in_place = false;
  const auto run = [&](const EmulationSettings& settings) { run_checked(star, ranks, call, settings); };
  const Exploration found = explore(run);
  INFO(found.text());
  REQUIRE(found.failure);
  CHECK(found.failure->failure.kind == CheckError::Kind::wrong_result);
  CHECK(found.failure->order.delays.size() == 1);
  CHECK(found.failure->failure.explanation.find("provenance") != std::string::npos);
  CHECK(found.failure->failure.explanation.find("element 2 of rank 1") != std::string::npos);
}

TEST_CASE("orders are read back, and what is none is refused") {
  for (const char* text : {"usual", "jitter:7", "pick:0", "jitter:1,pick:18446744073709551615", "delays:r2.1",
                           "delays:r0b2.3+m1-0.12+a0.1.2", "jitter:3,pick:4,delays:r1.1"})
    CHECK(to_string(parse_explored_order(text)) == text);
  for (const char* text : {"",
                           "jitter",
                           "jitter:",
                           "jitter:x",
                           "jitter:1,jitter:2",
                           "pick:-1",
                           "delays:",
                           "delays:r",
                           "delays:r1",
                           "delays:r1.0",
                           "delays:r1.1+",
                           "delays:r1.1+r1.1",
                           "delays:m1.1",
                           "delays:a1.1",
                           "delays:a1.1.0",
                           "delays:r1b0.1",
                           "delays:q1.1",
                           "usual,pick:1",
                           "delays:r99999999999.1",
                           "delays:r1.1 ",
                           "jitter:1,"})
    CHECK_THROWS_AS(parse_explored_order(text), InputError);
  CHECK(describe(parse_explored_order("delays:r2.1").delays.front()) ==
        "rank 2 waits before its step 1 until nothing else can happen");
}

TEST_CASE("the second call of a checked run has points of its own") {
  // Where rank 1 is root, as in the second call, it takes blocks as they come, once everybody has been heard of.
  const CollectiveFunction hasty_second = [](Communicator& comm, const CollectiveArguments& call) {
    if (call.root == Rank(0)) return testing::direct(Collective::gather)(comm, call);
    testing::direct(Collective::barrier)(comm, {});
    if (comm.rank() != call.root) return comm.send(call.root, call.input);
    const std::int64_t block = call.output.count() / comm.size();
    comm.copy(call.output.slice(block, block), call.input);
    for (const int from : {0, 2}) comm.recv(kAnySource, call.output.slice(from * block, block));
  };
  CollectiveCall call;
  call.collective = Collective::gather;
  call.function = hasty_second;
  call.name = "hasty_second";
  call.count = call.sampled = 6;
  call.in_place = false;
  const Fabric fabric = fabric_of("star:3");
  const auto run = [&](const EmulationSettings& settings) {
    run_checked(fabric, linear_placement(3, fabric.topology()), call, settings);
  };
  const Exploration found = explore(run, {}, no_more_than(1));
  REQUIRE(found.failure);
  CHECK(found.failure->failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(found.failure->failure.explanation, Catch::Contains("wrong result of the second call"));
  // By time, too, though messages of that call take none.
  const Exploration by_seed = explore(run, {}, {.delays = 0, .orders = 1, .seeds = 50});
  REQUIRE(by_seed.failure);
  CHECK_THAT(by_seed.failure->failure.explanation, Catch::Contains("wrong result of the second call"));

  call.function = testing::direct(Collective::gather);
  CHECK(explore(run, {}, no_more_than(1, 5)).passed());
  const std::int64_t points = explore(run, {}, no_more_than(0)).points;
  call.calls = 1;
  CHECK(points > explore(run, {}, no_more_than(0)).points);
}

}  // namespace heddle
