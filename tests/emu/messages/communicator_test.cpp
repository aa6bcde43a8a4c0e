// SPDX-License-Identifier: Apache-2.0
// Messages in pieces, the count of rounds, and those who have little or nothing to do.
#include "heddle/communicator.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "emu/check/position_communicator.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

}  // namespace

// ---- pieces ----

TEST_CASE("a message is gathered from pieces and scattered into others") {
  struct Cut {
    std::vector<int> sent;      ///< sizes of the sender's pieces
    std::vector<int> received;  ///< of the receiver's
  };
  const Cut cut = GENERATE(values<Cut>({{{6}, {1, 2, 3}},
                                        {{3, 2, 1}, {6}},
                                        {{1, 4, 1}, {2, 2, 2}},
                                        {{0, 6}, {0, 3, 0, 3, 0}},
                                        {{100, 100}, {150, 50}},  // longer than what a message keeps inside
                                        {{}, {}},
                                        {{2}, {4, 4}}}));  // shorter than its receive
  CAPTURE(cut.sent, cut.received);
  const int total = std::accumulate(cut.sent.begin(), cut.sent.end(), 0);
  std::vector<Numbers> received;
  for (const int size : cut.received) received.emplace_back(static_cast<std::size_t>(size), -1);
  Status status;
  run_on(fabric_of("ring:2"), [&](Communicator& comm) {
    if (comm.rank() == Rank(0)) {
      std::vector<Numbers> pieces;
      std::int32_t next = 0;
      for (const int size : cut.sent) {
        pieces.emplace_back(static_cast<std::size_t>(size));
        std::iota(pieces.back().begin(), pieces.back().end(), next);
        next += size;
      }
      const std::vector<ConstVectorView> views(pieces.begin(), pieces.end());
      comm.wait(comm.isend(Rank(1), views));
    } else {
      const std::vector<VectorView> views(received.begin(), received.end());
      status = comm.wait(comm.irecv(Rank(0), views));
    }
  });
  CHECK(status.count == total);
  Numbers joined;
  for (const Numbers& piece : received) joined.insert(joined.end(), piece.begin(), piece.end());
  Numbers expected(joined.size(), -1);
  std::iota(expected.begin(), expected.begin() + total, 0);
  CHECK(joined == expected);
}

TEST_CASE("sendrecv sends and receives at once, in pieces too") {
  // Around a ring of three, each link one message: α + m/B + L = 1 us + 400 ns + 400 ns for 100 numbers
  std::array<Numbers, 3> received;
  std::array<Status, 3> statuses;
  const Report report = run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        const Numbers out(50, comm.rank().value());
        const std::array<ConstVectorView, 2> twice = {out, out};
        received[rank].resize(100);
        const VectorView whole = received[rank];
        statuses[rank] = comm.sendrecv(Rank(right(comm)), twice, Rank(left(comm)), std::span(&whole, 1), Tag(4));
      },
      on(each_kind_of_threads()));
  CHECK(report.completion == 1'800_ns);
  for (int rank = 0; rank < 3; ++rank) {
    const int sender = (rank + 2) % 3;
    const auto at = static_cast<std::size_t>(rank);
    CHECK(received[at] == Numbers(100, sender));
    CHECK(statuses[at].peer == Rank(sender));
    CHECK(statuses[at].count == 100);
    CHECK(statuses[at].tag == Tag(4));
  }
}

// ---- rounds ----

namespace {

std::vector<int> rounds_of(const Report& report) {
  std::vector<int> rounds;
  for (const RankReport& rank : report.ranks) rounds.push_back(rank.rounds);
  return rounds;
}

std::vector<std::int64_t> messages_by_round(const Report& report) {
  std::vector<std::int64_t> messages;
  for (const RoundReport& round : report.rounds) messages.push_back(round.messages);
  return messages;
}

}  // namespace

TEST_CASE("rounds are the longest chain of messages, each posted after the one before was waited for") {
  const Threads threads = each_kind_of_threads();
  const auto run = [threads](const RankFunction& function) { return run_on(fabric_of("ring:8"), function, on(threads)); };
  SECTION("along a chain: rank r after r messages, the senders count their own") {
    const Report report = run([](Communicator& comm) {
      for (int r = 0; r < 7; ++r) carry(comm, {{r, r + 1, 8}});
    });
    CHECK(rounds_of(report) == std::vector{1, 2, 3, 4, 5, 6, 7, 7});
    CHECK(messages_by_round(report) == std::vector<std::int64_t>(7, 1));
  }
  SECTION("all at once: one") {
    const Report report = run([](Communicator& comm) { carry(comm, {{0, 1, 8}, {1, 2, 8}, {2, 3, 8}, {3, 0, 8}, {0, 5, 8}}); });
    CHECK(rounds_of(report) == std::vector{1, 1, 1, 1, 0, 1, 0, 0});
    CHECK(messages_by_round(report) == std::vector<std::int64_t>{5});
  }
  SECTION("a binomial tree: log2 8 = 3, with 1, 2 and 4 messages") {
    const Report report = run([](Communicator& comm) {
      for (int stride = 1; stride < 8; stride *= 2) {
        std::vector<Transfer> transfers;
        for (int r = 0; r < stride; ++r) transfers.push_back({r, r + stride, 8});
        carry(comm, transfers);
      }
    });
    CHECK(messages_by_round(report) == std::vector<std::int64_t>{1, 2, 4});
    CHECK(report.rounds_max() == 3);
    CHECK(rounds_of(report)[7] == 3);
  }
  SECTION("around the ring seven times: 7 = p - 1, with p messages each") {
    const Report report = run([](Communicator& comm) {
      for (int step = 0; step < 7; ++step) swap_numbers(comm, right(comm), left(comm), step);
    });
    CHECK(rounds_of(report) == std::vector<int>(8, 7));
    CHECK(messages_by_round(report) == std::vector<std::int64_t>(7, 8));
  }
  SECTION("a message posted before another was waited for does not depend on it") {
    const Report report = run([](Communicator& comm) {
      const Numbers out = {1};
      Numbers in(1);
      if (comm.rank() == Rank(0)) comm.send(Rank(1), out);
      if (comm.rank() == Rank(1)) {
        const Request receive = comm.irecv(Rank(0), in);
        const Request send = comm.isend(Rank(2), out);
        comm.wait(receive);
        comm.wait(send);
      }
      if (comm.rank() == Rank(2)) comm.recv(Rank(1), in);
    });
    CHECK(rounds_of(report) == std::vector{1, 1, 1, 0, 0, 0, 0, 0});
  }
  SECTION("tasks count side by side, and their rank goes on from the longest") {
    const Report report = run([](Communicator& comm) {
      carry(comm, {{0, 1, 8}});
      comm.concurrently(3, [](int i, Communicator& task) {
        for (int k = 0; k < i; ++k) carry(task, {{0, 1, 8}});
      });
      carry(comm, {{0, 1, 8}});
    });
    CHECK(rounds_of(report) == std::vector{4, 4, 0, 0, 0, 0, 0, 0});
    CHECK(messages_by_round(report) == std::vector<std::int64_t>{1, 2, 1, 1});
  }
}

// ---- little or nothing to do ----

TEST_CASE("ranks that do nothing take no time") {
  const Threads threads = each_kind_of_threads();
  for (const char* topology : {"ring:1", "star:1", "torus:1", "fullmesh:7"}) {
    const Fabric fabric(parse_topology(topology), FabricSettings{});
    const Placement ranks = linear_placement(fabric.topology().endpoints(), fabric.topology());
    const Report report = emulate(
        fabric, ranks, [](Communicator& comm) { comm.wait_all({}); }, on(threads));
    CHECK(report.completion == Time());
    CHECK(report.messages() == 0);
    CHECK(report.rounds.empty());
    CHECK(report.sent_max() == Bytes(0));
  }
}

TEST_CASE("only the ranks that are placed take part") {
  const Fabric fabric = fabric_of("ring:8");
  const Report report = emulate(fabric, {6, 1}, at_once({{0, 1, 1'000}}));  // three links: 1 us + 1 us + 1.2 us
  CHECK(report.ranks.size() == 2);
  CHECK(report.completion == 3'200_ns);
}

TEST_CASE("reduce_into and copy do what they say, and take no time without gamma") {
  Numbers sum = {1, 2, 3}, copied(3);
  const Numbers more = {10, 20, 30};
  const Report report = run_on(fabric_of("ring:1"), [&](Communicator& comm) {
    comm.reduce_into(sum, more, ReduceOp::sum());
    comm.copy(copied, sum);
    comm.copy(copied, copied);
  });
  CHECK(sum == Numbers{11, 22, 33});
  CHECK(copied == sum);
  CHECK(report.completion == Time());
}

// ---- where I am ----

TEST_CASE("a rank has one rank of the world, in whatever communicator it is asked") {
  std::vector<int> wrong(4);  // by rank
  run_on(fabric_of("ring:4"), [&](Communicator& comm) {
    const Rank mine = comm.rank();
    int& here = wrong[static_cast<std::size_t>(mine.value())];
    const auto look = [&](const Communicator& where, int rank) {
      if (where.rank() != Rank(rank) || where.world_rank() != mine) ++here;
    };
    look(comm, mine.value());
    const std::unique_ptr<Communicator> half = comm.split(mine.value() / 2, -mine.value());
    look(*half, 1 - mine.value() % 2);
    half->concurrently(2, [&](int, Communicator& task) { look(task, 1 - mine.value() % 2); });
    const std::array others = {Rank(3), Rank(1)};
    if (mine.value() % 2 == 1) look(*comm.form(others, 0), mine == Rank(3) ? 0 : 1);
    emu::Positions positions;
    look(emu::PositionCommunicator(positions, *half), 1 - mine.value() % 2);
  });
  CHECK(wrong == std::vector<int>(4));
}

}  // namespace heddle
