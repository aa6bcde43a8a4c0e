// SPDX-License-Identifier: Apache-2.0
// Runs in which nothing can happen any more, and how they are explained.
#include "emu/record/failure.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using emu::BlockedOperation;
using emu::Envelope;
using emu::explain_deadlock;
using emu::find_cycle;

/// Rank `rank` waits for each of `peers`.
std::vector<BlockedOperation> waits(const std::vector<std::pair<int, int>>& edges) {
  std::vector<BlockedOperation> blocked;
  for (const auto& [rank, peer] : edges) blocked.push_back({{rank, 0, peer, "to receive"}});
  return blocked;
}

}  // namespace

TEST_CASE("find_cycle: there is none") {
  CHECK(find_cycle(3, {}).empty());
  CHECK(find_cycle(4, waits({{0, 1}, {1, 2}, {2, 3}})).empty());
  CHECK(find_cycle(4, waits({{0, 1}, {0, 2}, {1, 3}, {2, 3}})).empty());  // two ways to the same end
  CHECK(find_cycle(2, waits({{0, 1}, {1, -1}})).empty());                 // any source is nobody in particular
}

TEST_CASE("find_cycle: each waits for the next, the last for the first") {
  CHECK(find_cycle(2, waits({{0, 1}, {1, 0}})) == std::vector{0, 1});
  CHECK(find_cycle(1, waits({{0, 0}})) == std::vector{0});
  CHECK(find_cycle(5, waits({{0, 3}, {3, 1}, {1, 4}, {4, 3}})) == std::vector{3, 1, 4});  // rank 0 waits, and is not on it
  CHECK(find_cycle(4, waits({{0, 1}, {0, 2}, {2, 3}, {3, 0}})) == std::vector{0, 2, 3});  // the first way ends at rank 1
}

TEST_CASE("find_cycle: as long as there are ranks") {
  constexpr int kMany = 100'000;
  std::vector<std::pair<int, int>> ring;
  for (int rank = 0; rank < kMany; ++rank) ring.emplace_back(rank, (rank + 1) % kMany);
  const std::vector<int> cycle = find_cycle(kMany, waits(ring));
  REQUIRE(cycle.size() == kMany);
  CHECK(std::is_sorted(cycle.begin(), cycle.end()));
}

TEST_CASE("find_cycle: finds one if there is one") {
  testing::property("a cycle of the graph, or the graph has an order", [] {
    const int ranks = drawn::number(1, 12);
    const auto edges = drawn::list([ranks] { return std::pair{drawn::number(0, ranks), drawn::number(-1, ranks)}; });
    const std::vector<int> cycle = find_cycle(ranks, waits(edges));
    if (!cycle.empty()) {
      RC_ASSERT(std::set<int>(cycle.begin(), cycle.end()).size() == cycle.size());
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::pair edge(cycle[i], cycle[(i + 1) % cycle.size()]);
        RC_ASSERT(std::count(edges.begin(), edges.end(), edge) > 0);
      }
      return;
    }
    // Take away, again and again, ranks that wait for nobody who is left: all must go.
    std::set<int> left;
    for (int rank = 0; rank < ranks; ++rank) left.insert(rank);
    for (bool went = true; went;) {
      went = std::erase_if(left, [&](int rank) {
               return std::none_of(edges.begin(), edges.end(),
                                   [&](const auto& edge) { return edge.first == rank && left.count(edge.second) > 0; });
             }) > 0;
    }
    RC_ASSERT(left.empty());
  });
}

TEST_CASE("a deadlock is explained by who waits for what, and round which cycle") {
  const std::string text =
      explain_deadlock(4,
                       {{{0, 0, 2, "to receive 4 x i32 from rank 2 (tag 0)"}}, {{2, 3, 0, "to send 1 x u8 to rank 0 (tag 1)"}}},
                       {{3, 1, 0, 5, 12, Datatype::i32()}})
          .explanation;
  CHECK(text ==
        "2 of 4 ranks are blocked, and nothing is on its way\n"
        "  rank 0 waits to receive 4 x i32 from rank 2 (tag 0)\n"
        "  rank 2, task 3, waits to send 1 x u8 to rank 0 (tag 1)\n"
        "  cycle: rank 0 -> 2 -> 0\n"
        "  sent, but not asked for:\n"
        "  the message of 12 x i32 from rank 3 to rank 1 (tag 5)");
}

TEST_CASE("of many blocked operations, messages and ranks of a cycle the first are shown") {
  std::vector<std::pair<int, int>> ring;
  for (int rank = 0; rank < 100; ++rank) ring.emplace_back(rank, (rank + 1) % 100);
  const std::string text =
      explain_deadlock(200, waits(ring), std::vector<Envelope>(20, {3, 1, 0, 5, 12, Datatype::i32()})).explanation;
  CHECK_THAT(text, Catch::Contains("100 of 200 ranks"));
  CHECK_THAT(text, Catch::Contains("\n  rank 15 waits") && !Catch::Contains("\n  rank 16 waits"));
  CHECK_THAT(text, Catch::Contains("… and 84 more operations") && Catch::Contains("… and 4 more messages"));
  CHECK_THAT(text, Catch::Contains("cycle of 100 ranks: 0 -> 1 -> 2 ->") && Catch::Contains("15 -> … -> 0"));
}

// ---- runs ----

namespace {

CheckError deadlock_of(std::string_view topology, const RankFunction& function, const EmulationSettings& settings) {
  const CheckError error = check_error_of(fabric_of(topology), function, settings);
  CHECK(error.kind() == CheckError::Kind::deadlock);
  return error;
}

/// Sends `before` messages to the right, receives as many from the left, then sends and receives the rest.
RankFunction ring_of_sends(int before) {
  return [before](Communicator& comm) {
    const int p = comm.size(), rank = comm.rank().value();
    std::vector<std::int32_t> out(4, rank), in(4);
    for (int i = 0; i < before; ++i) comm.send(Rank((rank + 1) % p), out, Tag(3));
    for (int i = 0; i < before; ++i) comm.recv(Rank((rank + p - 1) % p), in, Tag(3));
  };
}

}  // namespace

TEST_CASE("a receive that nobody sends") {
  const auto error = deadlock_of(
      "ring:4",
      [](Communicator& comm) {
        std::vector<std::int32_t> data(6);
        if (comm.rank() == Rank(2)) comm.recv(Rank(1), data, Tag(5));
      },
      on(each_kind_of_threads()));
  CHECK(std::string(error.what()) ==
        "1 of 4 ranks are blocked, and nothing is on its way\n"
        "  rank 2 waits to receive 6 x i32 from rank 1 (tag 5)");
}

TEST_CASE("a receive of another tag than what was sent") {
  const auto error = deadlock_of(
      "ring:2",
      [](Communicator& comm) {
        std::vector<std::int32_t> data(6);
        if (comm.rank() == Rank(0)) comm.send(Rank(1), data, Tag(1));
        if (comm.rank() == Rank(1)) comm.recv(Rank(0), data, Tag(2));
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 1 waits to receive 6 x i32 from rank 0 (tag 2)"));
  CHECK_THAT(error.what(), Catch::Contains("not asked for:\n  the message of 6 x i32 from rank 0 to rank 1 (tag 1)"));
}

TEST_CASE("a receive from any source that nobody serves") {
  const auto error = deadlock_of(
      "ring:2",
      [](Communicator& comm) {
        std::vector<std::int32_t> data(1);
        if (comm.rank() == Rank(0)) comm.recv(kAnySource, data);
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits to receive 1 x i32 from any rank (tag 0)"));
}

TEST_CASE("a receive that a message would serve under another tag or communicator is named; why, nobody can know") {
  const Envelope asked{1, 0, 7, 2, 4, Datatype::i32()};
  const std::vector<BlockedOperation> blocked{{{0, 0, 1, "to receive 4 x i32 from rank 1 (tag 2)"}, asked}};
  const auto with = [&asked](auto change) {
    Envelope message = asked;
    change(message);
    return message;
  };
  const Envelope other_tag = with([](Envelope& message) { message.tag = 3; });
  const auto tells_of = [&](const std::vector<Envelope>& sent) { return explain_deadlock(2, blocked, sent).explanation; };
  const auto is_told = Catch::Contains("heddle cannot tell which");
  CHECK_THAT(
      tells_of({other_tag}),
      Catch::EndsWith("\n  rank 0 waits for tag 2, rank 1 sent tag 3: the two choose differently, or the message that is "
                      "waited for was never sent; heddle cannot tell which"));
  CHECK_THAT(tells_of({with([](Envelope& message) { message.context = 8; })}),
             Catch::Contains("\n  rank 0 waits for a message on one communicator, rank 1 sent it on another: "));
  CHECK_THAT(tells_of({with([](Envelope& message) {
               message.tag = 3;
               message.count = 5;
             })}),
             !is_told);
  CHECK_THAT(tells_of({with([](Envelope& message) {
               message.tag = 3;
               message.source = 2;
             })}),
             !is_told);
  CHECK_THAT(tells_of({other_tag, asked}), !is_told);  // it was sent, and waits for a credit
}

TEST_CASE("a message is for another call than the one that waits, where one of the two is of a collective") {
  const auto said = [](std::string text) { return [=] { return text; }; };
  const auto tells_of = [&](bool waits, bool sends) {
    const Envelope asked{1, 0, 7, 2, 4, Datatype::i32(), said("take() at a.c:1"), waits};
    const Envelope sent{1, 0, 8, 2, 4, Datatype::i32(), said("give() at a.c:2"), sends, true};
    return explain_deadlock(2, {{{0, 0, 1, "in take() at a.c:1"}, asked}}, {sent}).explanation;
  };
  const std::string both = "\n  rank 0 waits in take() at a.c:1, and rank 1 has sent to it by give() at a.c:2: ";
  CHECK_THAT(tells_of(true, true), Catch::EndsWith(both + "the two are not one call of a collective"));
  CHECK_THAT(tells_of(true, false), Catch::EndsWith(both + "a collective does not take the message of another call"));
  CHECK_THAT(tells_of(false, true),
             Catch::EndsWith(both + "only the same call of the collective takes what a collective sends"));
  CHECK_THAT(tells_of(false, true), !Catch::Contains("sent, but not asked for"));  // no program has sent it
  CHECK_THAT(tells_of(false, false),
             Catch::Contains("rank 1 sent it on another: ") &&
                 Catch::Contains(
                     " from rank 1 to rank 0 (tag 2), sent by give() at a.c:2, which rank 0 has taken by a matched probe\n"));
}

TEST_CASE("ranks that count their tags apart") {
  const auto counts_apart = [](Communicator& comm) {
    std::vector<std::int32_t> data(4);
    const Rank other(1 - comm.rank().value());
    if (comm.rank() == Rank(0)) comm.send(other, data, Tag(1));
    if (comm.rank() == Rank(1)) comm.recv(other, data, Tag(0));
  };
  const auto is_told = Catch::Contains("\n  rank 1 waits for tag 0, rank 0 sent tag 1: ");
  CHECK_THAT(deadlock_of("ring:2", counts_apart, on(each_kind_of_threads())).what(), is_told);
}

TEST_CASE("two ranks that both send first, synchronously") {
  EmulationSettings settings = on(each_kind_of_threads());
  settings.buffering = Buffering::synchronous();
  const auto both_send_first = [](Communicator& comm) {
    std::vector<std::int32_t> out(4), in(4);
    const Rank other(1 - comm.rank().value());
    comm.send(other, out);
    comm.recv(other, in);
  };
  const auto error = deadlock_of("ring:2", both_send_first, settings);
  // docs/your-own-collective.md shows this.
  CHECK(std::string(error.what()) ==
        "2 of 2 ranks are blocked, and nothing is on its way\n"
        "  rank 0 waits to send 4 x i32 to rank 1 (tag 0): synchronous, and no receive is posted\n"
        "  rank 1 waits to send 4 x i32 to rank 0 (tag 0): synchronous, and no receive is posted\n"
        "  cycle: rank 0 -> 1 -> 0\n"
        "  sent, but not asked for:\n"
        "  the message of 4 x i32 from rank 0 to rank 1 (tag 0)\n"
        "  the message of 4 x i32 from rank 1 to rank 0 (tag 0)");

  settings.buffering = Buffering::eager();
  CHECK(run_on(fabric_of("ring:2"), both_send_first, settings).messages() == 2);
}

TEST_CASE("a ring of sends, one credit short") {
  const int credits = GENERATE(1, 2, 3);
  EmulationSettings settings = on(each_kind_of_threads());
  settings.buffering = Buffering::limited(credits);
  CHECK(run_on(fabric_of("ring:5"), ring_of_sends(credits), settings).messages() == 5 * credits);
  const auto error = deadlock_of("ring:5", ring_of_sends(credits + 1), settings);
  const std::string k = std::to_string(credits);
  CHECK_THAT(error.what(), Catch::Contains("5 of 5 ranks are blocked"));
  CHECK_THAT(error.what(),
             Catch::Contains("rank 4 waits to send 4 x i32 to rank 0 (tag 3): " + k + " of " + k + " credits are taken"));
  CHECK_THAT(error.what(), Catch::Contains("cycle: rank 0 -> 1 -> 2 -> 3 -> 4 -> 0"));
}

TEST_CASE("a split that not all call") {
  const auto error = deadlock_of(
      "ring:3",
      [](Communicator& comm) {
        if (comm.rank() == Rank(1)) return;
        const auto half = comm.split(0, 0);
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("2 of 3 ranks are blocked"));
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits in split() for ranks that have not called it"));
  CHECK_THAT(error.what(), Catch::Contains("rank 2 waits in split() for ranks that have not called it"));
}

TEST_CASE("a task of a rank is named by its number") {
  const auto error = deadlock_of(
      "ring:2",
      [](Communicator& comm) {
        comm.concurrently(3, [](int i, Communicator& task) {
          std::vector<std::int32_t> data(1);
          if (task.rank() == Rank(1) && i == 1) task.recv(Rank(0), data);
        });
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("1 of 2 ranks are blocked"));
  CHECK_THAT(error.what(), Catch::Contains("rank 1, task 2, waits to receive 1 x i32 from rank 0 (tag 0)"));
}

TEST_CASE("ranks of a part are named as ranks of the whole") {
  // Ranks 1 and 3 are 0 and 1 of their half; both receive first.
  const auto error = deadlock_of(
      "ring:4",
      [](Communicator& comm) {
        const auto half = comm.split(comm.rank().value() % 2, 0);
        if (comm.rank().value() % 2 == 0) return;
        std::vector<std::int32_t> data(1);
        half->recv(Rank(1 - half->rank().value()), data);
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("rank 1 waits to receive 1 x i32 from rank 3"));
  CHECK_THAT(error.what(), Catch::Contains("cycle: rank 1 -> 3 -> 1"));
}

TEST_CASE("of several requests those that are still open are listed") {
  const auto error = deadlock_of(
      "ring:3",
      [](Communicator& comm) {
        std::vector<std::int32_t> a(1), b(2);
        if (comm.rank() == Rank(0)) comm.wait_all({comm.irecv(Rank(1), a), comm.irecv(Rank(2), b)});
        if (comm.rank() == Rank(1)) comm.send(Rank(0), a);
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Catch::Contains("receive 2 x i32 from rank 2") && !Catch::Contains("receive 1 x i32"));
}

}  // namespace heddle
