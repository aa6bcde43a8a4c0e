// SPDX-License-Identifier: Apache-2.0
// Least credits of programs whose answer can be worked out by hand, and of drawn ones against all counts tried one by one.
#include "emu/studies/least_credits.hpp"

#include <rapidcheck/Show.h>
// Behind it: what it calls must be known.
#include <rapidcheck/Classify.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

LeastCredits credits_of(const Fabric& fabric, const RankFunction& program, const EmulationSettings& settings = {}) {
  return least_credits(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), program, settings);
}

LeastCredits credits_on_ring(int ranks, const RankFunction& program) {
  return credits_of(fabric_of("ring:" + std::to_string(ranks)), program);
}

Rank right_of(const Communicator& comm) { return Rank((comm.rank().value() + 1) % comm.size()); }
Rank left_of(const Communicator& comm) { return Rank((comm.rank().value() + comm.size() - 1) % comm.size()); }

/// Each rank sends so many messages to its right, one after the other, and only then receives as many from its left.
RankFunction send_all_then_receive(int messages) {
  return [messages](Communicator& comm) {
    const std::vector<std::int32_t> sent(4);
    std::vector<std::int32_t> received(4);
    for (int i = 0; i < messages; ++i) comm.send(right_of(comm), sent);
    for (int i = 0; i < messages; ++i) comm.recv(left_of(comm), received);
  };
}

/// Messages that are received in the other order than they were sent.
RankFunction received_backwards(int messages) {
  return [messages](Communicator& comm) {
    std::vector<std::int32_t> data(4);
    std::vector<Request> sends;
    for (int i = 0; i < messages && comm.rank() == Rank(0); ++i) sends.push_back(comm.isend(Rank(1), data, Tag(i)));
    for (int i = messages - 1; i >= 0 && comm.rank() == Rank(1); --i) comm.recv(Rank(0), data, Tag(i));
    comm.wait_all(sends);
  };
}

std::vector<int> all_of_ring(int ranks) {
  std::vector<int> cycle(static_cast<std::size_t>(ranks));
  std::iota(cycle.begin(), cycle.end(), 0);
  return cycle;
}

struct CreditsOutcomeSeen {
  int credits;
  std::optional<Time> time;
  friend bool operator==(const CreditsOutcomeSeen&, const CreditsOutcomeSeen&) = default;
};

std::vector<CreditsOutcomeSeen> outcomes_of(const LeastCredits& found) {
  std::vector<CreditsOutcomeSeen> outcomes;
  for (const CreditsOutcome& outcome : found.outcomes) outcomes.push_back({outcome.credits, outcome.time});
  return outcomes;
}

}  // namespace

TEST_CASE("a ring that sends before it receives needs a credit for each message sent ahead") {
  // All ranks wait for their right neighbour's receive, which comes after its own sends.
  const int ranks = GENERATE(2, 3, 7);
  const int messages = GENERATE(1, 2, 5);
  const LeastCredits found = credits_on_ring(ranks, send_all_then_receive(messages));
  CHECK(found.least == messages);
  CHECK(found.enough == messages);
  CHECK(found.order_is_fixed);
  CHECK(found.safe == messages);
  CHECK(std::ssize(found.locked) == messages);
  CHECK(found.cycle == all_of_ring(ranks));
  CHECK_THAT(found.deadlock, Catch::Contains("cycle: rank 0 -> 1"));
  CHECK_THAT(found.deadlock, Catch::Contains(messages == 1 ? "synchronous, and no receive is posted" : "credits are taken"));
  for (const CreditsOutcome& outcome : found.outcomes) CHECK_FALSE(outcome.time);
}

TEST_CASE("who receives while it sends needs no credit") {
  const LeastCredits found = credits_on_ring(5, [](Communicator& comm) {
    const std::vector<std::int32_t> sent(4);
    std::vector<std::int32_t> received(4);
    comm.sendrecv(right_of(comm), sent, left_of(comm), received);
  });
  CHECK(found.least == 0);
  CHECK(found.safe == 0);
  CHECK(found.enough == 1);
  CHECK(found.deadlock.empty());
  CHECK(found.cycle.empty());
  CHECK(outcomes_of(found) == std::vector<CreditsOutcomeSeen>{{0, found.eager}});
}

TEST_CASE("nothing sent, no credits") {
  const LeastCredits found = credits_on_ring(3, [](Communicator&) {});
  CHECK(found.least == 0);
  CHECK(found.enough == 0);
  CHECK(found.outcomes.empty());
  const LeastCredits to_oneself = credits_on_ring(1, send_all_then_receive(3));
  CHECK(to_oneself.enough == 0);
}

TEST_CASE("what few credits cost") {
  // Five messages of 10,000 B at 1 B/ns, α = 1 us, L = 0.4 us, all receives posted before. Eager and synchronous they share the
  // link: 1 + 50 + 0.4 us. k credits: k at a time, each lot 1 + 10·k + 0.4 us.
  const LeastCredits found = credits_of(fabric_of("ring:2"), at_once(std::vector<Transfer>(5, {0, 1, 10'000})));
  CHECK(found.least == 0);
  CHECK(found.enough == 5);
  CHECK(found.eager == 51'400_ns);
  CHECK(outcomes_of(found) == std::vector<CreditsOutcomeSeen>{{0, 51'400_ns}, {1, 57'000_ns}, {2, 54'200_ns}, {4, 52'800_ns}});
}

TEST_CASE("synchronous sends can end where some credits lock up") {
  // The first messages take all the credits, and the one that is asked for first waits for them.
  const LeastCredits found = credits_of(fabric_of("ring:2"), received_backwards(6));
  CHECK(found.least == 0);
  CHECK(found.locked == std::vector{1, 2, 3, 4, 5});
  CHECK(found.safe == 6);
  CHECK(found.enough == 6);
  CHECK(found.order_is_fixed);
  CHECK_THAT(found.deadlock, Catch::Contains("rank 1 waits to receive 4 x i32 from rank 0 (tag 5)"));
  CHECK(found.cycle == std::vector{0, 1});
}

TEST_CASE("whether the program alone decides") {
  const std::vector<std::int32_t> sent(4);
  const auto tasks_send_to = [&sent](std::array<int, 2> dests, int calls) {
    return [&sent, dests, calls](Communicator& comm) {
      const auto task = [&](int i, Communicator& mine) {
        std::vector<std::int32_t> received(4);
        if (comm.rank() == Rank(0)) mine.send(Rank(dests[static_cast<std::size_t>(i)]), sent);
        if (comm.rank() == Rank(dests[static_cast<std::size_t>(i)])) mine.recv(Rank(0), received);
      };
      for (int call = 0; call < calls; ++call) comm.concurrently(2, task);
    };
  };
  SECTION("two tasks to two ranks: yes, as often as they are made") {
    CHECK(credits_on_ring(3, tasks_send_to({1, 2}, 3)).order_is_fixed);
  }
  SECTION("two tasks to one rank: no, but that nothing is needed where it needs nothing") {
    const LeastCredits found = credits_on_ring(3, tasks_send_to({1, 1}, 1));
    CHECK_FALSE(found.order_is_fixed);
    CHECK(found.least == 0);
    CHECK(found.least_is_fixed);
  }
  SECTION("tasks of tasks to one rank: no") {
    CHECK_FALSE(credits_on_ring(2, [&sent](Communicator& comm) {
                  comm.concurrently(2, [&sent](int, Communicator& outer) {
                    outer.concurrently(1, [&sent](int, Communicator& inner) {
                      std::vector<std::int32_t> received(4);
                      if (inner.rank() == Rank(0)) inner.send(Rank(1), sent);
                      if (inner.rank() == Rank(1)) inner.recv(Rank(0), received);
                    });
                  });
                }).order_is_fixed);
  }
  SECTION("a receive from any source: no") {
    const LeastCredits found = credits_on_ring(2, [&sent](Communicator& comm) {
      std::vector<std::int32_t> received(4);
      if (comm.rank() == Rank(0)) comm.send(Rank(1), sent);
      if (comm.rank() == Rank(1)) comm.recv(kAnySource, received);
    });
    CHECK_FALSE(found.order_is_fixed);
    CHECK(found.least == 0);
    CHECK_FALSE(found.least_is_fixed);
  }
  SECTION("a call that tells what has come first: no") {
    const auto with = [&sent](const std::function<void(Communicator&, Request, Request)>& ask) {
      return credits_on_ring(2, [&](Communicator& comm) {
        std::vector<std::int32_t> first(4), second(4);
        if (comm.rank() == Rank(0)) comm.send(Rank(1), sent), comm.send(Rank(1), sent, Tag(1));
        if (comm.rank() == Rank(1)) ask(comm, comm.irecv(Rank(0), first), comm.irecv(Rank(0), second, Tag(1)));
      });
    };
    const auto in_turn = with([](Communicator& comm, Request a, Request b) { comm.wait(a), comm.wait(b); });
    CHECK(in_turn.order_is_fixed);
    const auto any = with([](Communicator& comm, Request a, Request b) {
      comm.wait(comm.wait_any(std::array{a, b}) == 0 ? b : a);
    });
    CHECK_FALSE(any.order_is_fixed);
    const auto asked = with([](Communicator& comm, Request a, Request b) {
      static_cast<void>(comm.is_complete(b));
      comm.wait(a), comm.wait(b);
    });
    CHECK_FALSE(asked.order_is_fixed);
  }
}

TEST_CASE("where the order is not fixed every count is asked, where it is those that are shown") {
  // Rank 0 sends five messages by each of two tasks, all at once. A run is counted by rank 1.
  int runs = 0;
  const auto program = [&runs](int dest_of_second) {
    return [&runs, dest_of_second](Communicator& comm) {
      if (comm.rank() == Rank(1)) ++runs;
      comm.concurrently(2, [dest_of_second](int task, Communicator& mine) {
        carry(mine, std::vector<Transfer>(5, {0, task == 0 ? 1 : dest_of_second, 100}));
      });
    };
  };
  const LeastCredits shared = credits_on_ring(3, program(1));
  CHECK(shared.enough == 10);
  CHECK(runs == 11);  // eager, 0 … 9
  CHECK(shared.outcomes.size() == 5);
  runs = 0;
  const LeastCredits apart = credits_on_ring(3, program(2));
  CHECK(apart.enough == 5);
  CHECK(runs == 5);  // eager, 0, 1, 2, 4
  CHECK(apart.outcomes.size() == 4);
}

TEST_CASE("what cannot be searched") {
  SECTION("a deadlock without bound") {
    try {
      credits_on_ring(2, [](Communicator& comm) {
        std::vector<std::int32_t> received(4);
        comm.recv(right_of(comm), received);
      });
      FAIL("it was searched");
    } catch (const CheckError& error) {
      CHECK(error.kind() == CheckError::Kind::deadlock);
    }
  }
  SECTION("a rank that throws") {
    CHECK_THROWS_AS(credits_on_ring(2, [](Communicator&) { throw std::runtime_error("no"); }), CheckError);
  }
  SECTION("the wall clock") {
    EmulationSettings settings;
    settings.wall = WallClockSettings{};
    CHECK_THROWS_AS(credits_of(fabric_of("ring:2"), send_all_then_receive(1), settings), InputError);
  }
}

TEST_CASE("a checked call: both calls must end, the second with the next rank as root") {
  // A broadcast whose ranks take the data after a word that follows it. Rank 1 as root sends the data twice.
  const CollectiveFunction broadcast = [](Communicator& comm, const CollectiveArguments& arguments) {
    const int repeats = arguments.root == Rank(1) ? 2 : 1;
    std::vector<std::byte> word(1);
    if (comm.rank() != arguments.root) {
      comm.recv(arguments.root, word, Tag(1));
      for (int i = 0; i < repeats; ++i) comm.recv(arguments.root, arguments.output);
      return;
    }
    for (int rank = 0; rank < comm.size(); ++rank) {
      if (Rank(rank) == arguments.root) continue;
      for (int i = 0; i < repeats; ++i) comm.send(Rank(rank), arguments.output);
      comm.send(Rank(rank), word, Tag(1));
    }
  };
  const Fabric fabric = fabric_of("star:3");
  const Placement placement = linear_placement(3, fabric.topology());
  CollectiveCall call{
      .collective = Collective::broadcast, .function = broadcast, .name = "talkative", .count = 8, .sampled = 8};
  CHECK(least_credits(fabric, placement, call).least == 3);  // the second call's root is rank 1
  call.root = Rank(2);
  CHECK(least_credits(fabric, placement, call).least == 2);  // 2 and 0
  call.root = Rank(1);
  const LeastCredits found = least_credits(fabric, placement, call);
  CHECK(found.least == 3);
  CHECK(found.eager == run_checked(fabric, placement, call).completion);
  const auto by_groups = [&](const EmulationSettings& with) {
    return run_checked_groups(fabric, placement, {{0, 1, 2}}, call, with).report.completion;
  };
  const LeastCredits of_groups = least_credits(by_groups, {});
  CHECK(of_groups.least == found.least);
  CHECK(of_groups.eager == found.eager);
}

namespace {

/// Messages in phases: in each, all ranks send all theirs and receive then, in an order of their own. Eager it always ends.
struct DrawnMessage {
  int source;
  int dest;
  bool waits;  ///< for the send to be done, before anything else
  int place;   ///< among the receives of its phase
};
using DrawnPhases = std::vector<std::vector<DrawnMessage>>;

RankFunction program_of(const DrawnPhases& phases) {
  return [&phases](Communicator& comm) {
    std::int32_t data = 0;
    for (const std::vector<DrawnMessage>& phase : phases) {
      std::vector<Request> requests;
      std::map<std::pair<int, std::size_t>, int> receives;  // (place, tag) → source
      for (std::size_t i = 0; i < phase.size(); ++i) {
        const DrawnMessage& message = phase[i];
        const Tag tag(static_cast<int>(i));
        if (message.dest == comm.rank().value()) receives[{message.place, i}] = message.source;
        if (message.source != comm.rank().value()) continue;
        const Request request = comm.isend(Rank(message.dest), std::span<const std::int32_t>(&data, 1), tag);
        if (message.waits)
          comm.wait(request);
        else
          requests.push_back(request);
      }
      std::int32_t received = 0;
      for (const auto& [key, source] : receives)
        comm.recv(Rank(source), std::span<std::int32_t>(&received, 1), Tag(static_cast<int>(key.second)));
      comm.wait_all(requests);
    }
  };
}

DrawnPhases draw_phases(int ranks) {
  DrawnPhases phases(static_cast<std::size_t>(drawn::number(1, 4)));
  for (std::vector<DrawnMessage>& phase : phases) {
    const int messages = drawn::number(1, 7);
    for (int i = 0; i < messages; ++i) {
      const int source = drawn::number(0, ranks);
      const int dest = (source + drawn::number(1, ranks)) % ranks;
      phase.push_back({source, dest, drawn::any<bool>(), drawn::number(0, 7)});
    }
  }
  return phases;
}

Fabric ring_without_startup(int ranks) {
  FabricSettings settings = nanosecond_speeds();
  settings.alpha = Time();
  return fabric_of("ring:" + std::to_string(ranks), settings);
}

Fabric star_of(int ranks) { return fabric_of("star:" + std::to_string(ranks)); }

bool lives_with(const Fabric& fabric, const RankFunction& program, int credits, std::uint64_t order_seed) {
  EmulationSettings settings;
  settings.buffering = Buffering::limited(credits);
  settings.order_seed = order_seed;
  try {
    run_on(fabric, program, settings);
    return true;
  } catch (const CheckError& error) {
    if (error.kind() != CheckError::Kind::deadlock) throw;
    return false;
  }
}

}  // namespace

TEST_CASE("drawn programs of a fixed order: every count, under other orders and speeds, ends or locks up as was found") {
  testing::property("as tried one by one", [] {
    const int ranks = drawn::number(2, 5);
    const DrawnPhases phases = draw_phases(ranks);
    const RankFunction program = program_of(phases);
    const LeastCredits found = credits_of(star_of(ranks), program);
    RC_ASSERT(found.order_is_fixed);
    RC_ASSERT(found.least <= found.safe);
    RC_ASSERT(found.safe <= found.enough);
    const Fabric fabric = ring_without_startup(ranks);
    RC_TAG(found.safe == 0 ? "needs none" : found.least == 0 ? "ends without, not with one" : "needs credits");
    for (int credits = 0; credits <= found.enough; ++credits) {
      const bool locks = std::ranges::count(found.locked, credits) > 0;
      if (credits < found.least) RC_ASSERT(locks);
      RC_ASSERT(lives_with(fabric, program, credits, static_cast<std::uint64_t>(credits) + 1) == !locks);
    }
    EmulationSettings settings;
    settings.buffering = Buffering::limited(found.enough);
    RC_ASSERT(run_on(star_of(ranks), program, settings).completion == found.eager);
  });
}

TEST_CASE("what is passed on once there is room needs a credit more than is on its way") {
  // Each channel of the ring holds one message when its sender asks for room for the next.
  const RankFunction relay = [](Communicator& comm) {
    std::vector<std::int32_t> data(4);
    comm.send(right_of(comm), data);
    comm.wait_for_room(right_of(comm), Tag());
    comm.recv(left_of(comm), data);
    comm.send(right_of(comm), data);
    comm.recv(left_of(comm), data);
  };
  const LeastCredits found = credits_on_ring(5, relay);
  CHECK(found.least == 2);
  CHECK(found.safe == 2);
  CHECK(found.enough == 2);
  CHECK(found.locked == std::vector<int>{0, 1});
  CHECK(found.order_is_fixed);
}

}  // namespace heddle
