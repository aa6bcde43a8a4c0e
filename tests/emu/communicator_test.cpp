// SPDX-License-Identifier: Apache-2.0
// What a communicator offers besides plain messages: strands, groups, plans, pieces, the count of rounds.
#include "core/communicator.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/fabrics.hpp"
#include "tests/emu/threads_under_test.hpp"
#include "tests/emu/transfers.hpp"

namespace heddle {

namespace {

using namespace literals;

using Numbers = std::vector<std::int32_t>;

/// One number to `dest`, one from `source`: what came.
std::int32_t exchange(Communicator& comm, int dest, int source, std::int32_t number, Tag tag = {}) {
  const Numbers out = {number};
  Numbers in(1);
  comm.sendrecv(Rank(dest), out, Rank(source), in, tag);
  return in[0];
}

int left(const Communicator& comm) { return (comm.rank().value() + comm.size() - 1) % comm.size(); }
int right(const Communicator& comm) { return (comm.rank().value() + 1) % comm.size(); }

}  // namespace

// ---- concurrently ----

TEST_CASE("strand i of a rank talks to strand i of the others, with the same tags") {
  constexpr int kRanks = 4, kStrands = 5;
  std::array<std::array<std::int32_t, kStrands>, kRanks> got{};
  run_on(
      fabric_of("ring:4"),
      [&got](Communicator& comm) {
        comm.concurrently(kStrands, [&](int i, Communicator& strand) {
          if (strand.rank() != comm.rank() || strand.size() != comm.size()) throw std::logic_error("another rank");
          const auto rank = static_cast<std::size_t>(strand.rank().value());
          got[rank][static_cast<std::size_t>(i)] =
              exchange(strand, right(strand), left(strand), 10 * strand.rank().value() + i);
        });
      },
      on(each_kind_of_threads()));
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int i = 0; i < kStrands; ++i) {
      CHECK(got[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] == 10 * ((rank + kRanks - 1) % kRanks) + i);
    }
  }
}

TEST_CASE("strands within strands have streams of their own") {
  constexpr int kRanks = 3;
  std::array<std::array<std::int32_t, 6>, kRanks> got{};
  run_on(
      fabric_of("ring:3"),
      [&got](Communicator& comm) {
        comm.concurrently(2, [&got](int i, Communicator& outer) {
          outer.concurrently(3, [&got, i](int j, Communicator& inner) {
            const int rank = inner.rank().value();
            got[static_cast<std::size_t>(rank)][static_cast<std::size_t>(3 * i + j)] =
                exchange(inner, right(inner), left(inner), 100 * rank + 10 * i + j);
          });
        });
      },
      on(each_kind_of_threads()));
  for (int rank = 0; rank < kRanks; ++rank) {
    const int sender = (rank + kRanks - 1) % kRanks;
    const std::array<std::int32_t, 6> expected = {100 * sender,      100 * sender + 1,  100 * sender + 2,
                                                  100 * sender + 10, 100 * sender + 11, 100 * sender + 12};
    CHECK(got[static_cast<std::size_t>(rank)] == expected);
  }
}

TEST_CASE("a strand does not take its rank's messages, nor those of an earlier call") {
  std::array<std::int32_t, 3> got{};
  run_on(
      fabric_of("ring:2"),
      [&got](Communicator& comm) {
        const Numbers before = {1};
        Numbers after(1);
        const bool sends = comm.rank() == Rank(0);
        const Request pending = sends ? comm.isend(Rank(1), before) : comm.irecv(Rank(0), after);
        for (std::size_t call = 0; call < 2; ++call) {
          comm.concurrently(1, [&got, sends, call](int, Communicator& strand) {
            Numbers number = {static_cast<std::int32_t>(call) + 2};
            if (sends) return strand.send(Rank(1), number);
            strand.recv(Rank(0), number);
            got[call] = number[0];
          });
        }
        comm.wait(pending);
        if (!sends) got[2] = after[0];
      },
      on(each_kind_of_threads()));
  CHECK(got == std::array<std::int32_t, 3>{2, 3, 1});
}

TEST_CASE("strands of a rank run at the same time") {
  // fullmesh:3, each message on a link of its own: α + m/B + L = 1 us + 10 us + 0.4 us for both together
  const Report report = run_on(
      fabric_of("fullmesh:3"),
      [](Communicator& comm) {
        comm.concurrently(2, [](int i, Communicator& strand) { carry(strand, {{0, i + 1, 10'000}}); });
      },
      on(each_kind_of_threads()));
  CHECK(report.completion == 11'400_ns);
}

TEST_CASE("concurrently returns when all strands have ended, with none at once") {
  const Report report = run_on(fabric_of("ring:2"), [](Communicator& comm) {
    std::atomic<int> ended{0};
    comm.concurrently(0, [](int, Communicator&) { throw std::logic_error("there is no strand"); });
    comm.concurrently(3, [&ended](int i, Communicator& strand) {
      carry(strand, {{0, 1, 100 * i}});
      ++ended;
    });
    if (ended != 3) throw std::logic_error("returned too early");
  });
  CHECK(report.completion > Time());
}

TEST_CASE("only ranks that communicate within need to call concurrently") {
  // Rank 2 works alone in strands of its own; split, which all call, is not put out of step by that.
  run_on(fabric_of("ring:3"), [](Communicator& comm) {
    if (comm.rank() == Rank(2)) comm.concurrently(4, [](int, Communicator& strand) { compute(strand, 10); });
    const auto all = comm.split(0, 0);
    if (exchange(*all, right(*all), left(*all), all->rank().value()) != left(*all)) throw std::logic_error("a wrong number");
  });
}

// ---- split ----

TEST_CASE("ranks of one color are ordered by key, then by rank") {
  //   rank   0  1  2  3  4  5
  //   color  1  0  1  -  0  1
  //   key    5  0 -3     0  5      =>  color 0: 1, 4;  color 1: 2, 0, 5
  constexpr std::array kColors = {1, 0, 1, -1, 0, 1};
  constexpr std::array kKeys = {5, 0, -3, 0, 0, 5};
  std::array<int, 6> ranks{}, sizes{}, heard{};
  const Report report = run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        const std::unique_ptr<Communicator> part = comm.split(kColors[rank], kKeys[rank]);
        ranks[rank] = part ? part->rank().value() : -1;
        sizes[rank] = part ? part->size() : 0;
        heard[rank] = part ? exchange(*part, right(*part), left(*part), comm.rank().value()) : -1;
      },
      on(each_kind_of_threads()));
  CHECK(ranks == std::array{1, 0, 0, -1, 1, 2});
  CHECK(sizes == std::array{3, 2, 3, 0, 2, 3});
  CHECK(heard == std::array{2, 4, 5, -1, 1, 0});
  CHECK(report.ranks[3].completion == Time());
}

TEST_CASE("making communicators takes no time") {
  const Report report = run_on(fabric_of("ring:6"), [](Communicator& comm) {
    const auto half = comm.split(comm.rank().value() % 2, 0);
    const auto reversed = half->split(0, -half->rank().value());
  });
  CHECK(report.completion == Time());
  CHECK(report.messages() == 0);
  CHECK(report.rounds_max() == 0);
}

TEST_CASE("a part is split again") {
  // 8 ranks by their highest bit, then by the next one: pairs {0,1}, {2,3}, {4,5}, {6,7}
  std::array<int, 8> partners{};
  run_on(
      fabric_of("ring:8"),
      [&partners](Communicator& comm) {
        const int rank = comm.rank().value();
        const auto half = comm.split(rank / 4, 0);
        const auto pair = half->split(half->rank().value() / 2, 0);
        if (pair->size() != 2) throw std::logic_error("not a pair");
        const int partner = 1 - pair->rank().value();
        partners[static_cast<std::size_t>(rank)] = exchange(*pair, partner, partner, rank);
      },
      on(each_kind_of_threads()));
  CHECK(partners == std::array{1, 0, 3, 2, 5, 4, 7, 6});
}

TEST_CASE("strands split for themselves") {
  // Strand 0 splits into even and odd ranks, strand 1 into low and high ones.
  std::array<std::array<int, 4>, 2> partners{};
  run_on(
      fabric_of("ring:4"),
      [&partners](Communicator& comm) {
        comm.concurrently(2, [&partners](int i, Communicator& strand) {
          const int rank = strand.rank().value();
          const auto pair = strand.split(i == 0 ? rank % 2 : rank / 2, 0);
          const int partner = 1 - pair->rank().value();
          partners[static_cast<std::size_t>(i)][static_cast<std::size_t>(rank)] = exchange(*pair, partner, partner, rank);
        });
      },
      on(each_kind_of_threads()));
  CHECK(partners[0] == std::array{2, 3, 0, 1});
  CHECK(partners[1] == std::array{1, 0, 3, 2});
}

// ---- plans ----

TEST_CASE("a plan is made once and shared") {
  std::atomic<int> made{0};
  std::array<std::shared_ptr<const Numbers>, 6> plans;
  run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        const auto plan = [&](std::string_view key) {
          return comm.shared_plan<Numbers>(key, [&made, key] {
            ++made;
            return Numbers(key.size());
          });
        };
        plans[rank] = plan("four");
        if (plan("four") != plans[rank] || plan("sixsix")->size() != 6) throw std::logic_error("another plan");
      },
      on(each_kind_of_threads()));
  CHECK(made == 2);
  CHECK(std::set(plans.begin(), plans.end()).size() == 1);
  CHECK(plans[0]->size() == 4);
}

TEST_CASE("each part has plans of its own, its strands share them") {
  std::atomic<int> made{0};
  std::array<int, 6> sizes{};
  run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const int rank = comm.rank().value();
        const auto part = comm.split(rank < 2 ? 0 : 1, 0);
        part->concurrently(3, [&](int, Communicator& strand) {
          const auto plan = strand.shared_plan<int>("size", [&made, &part] { return ++made, part->size(); });
          sizes[static_cast<std::size_t>(rank)] += *plan;
        });
      },
      on(each_kind_of_threads()));
  CHECK(made == 2);
  CHECK(sizes == std::array{6, 6, 12, 12, 12, 12});
}

// ---- where a rank is ----

TEST_CASE("the grid is there when the ranks fill it, wherever they sit") {
  const Fabric fabric = fabric_of("torus:2x3");
  std::array<std::vector<int>, 6> coordinates;
  const RankFunction note_coordinates = [&coordinates](Communicator& comm) {
    const Grid* grid = comm.grid();
    coordinates[static_cast<std::size_t>(comm.rank().value())] = grid ? grid->coordinates(comm.rank()) : std::vector<int>{};
  };
  SECTION("linear") {
    run_on(fabric, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}});
  }
  SECTION("permuted: rank r on endpoint 5 - r") {
    emulate(fabric, {5, 4, 3, 2, 1, 0}, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{{{1, 2}, {1, 1}, {1, 0}, {0, 2}, {0, 1}, {0, 0}}});
  }
  SECTION("not filled") {
    emulate(fabric, {0, 1, 2, 3, 4}, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{});
  }
  SECTION("no grid") {
    run_on(fabric_of("star:6"), note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{});
  }
}

TEST_CASE("a part that is a row, a plane or a box of the fabric has that as its grid, in a part of a part too") {
  std::array<std::vector<int>, 12> rows;
  std::array<std::vector<int>, 12> halves;
  std::array<std::vector<int>, 12> diagonals;
  run_on(fabric_of("torus:3x4"), [&](Communicator& comm) {
    const int rank = comm.rank().value();
    const auto at = static_cast<std::size_t>(rank);
    const auto row = comm.split(rank / 4, -rank);  // keys reverse the order
    rows[at] = row->grid()->coordinates(row->rank());
    const auto half = row->split(rank % 4 / 2, rank);
    halves[at] = half->grid()->coordinates(half->rank());
    const auto diagonal = comm.split((rank / 4 + rank) % 4, 0);
    if (diagonal->grid()) diagonals[at] = {diagonal->grid()->size()};
  });
  for (int rank = 0; rank < 12; ++rank) {
    INFO("rank " << rank);
    CHECK(rows[static_cast<std::size_t>(rank)] == std::vector{rank % 4});
    CHECK(halves[static_cast<std::size_t>(rank)] == std::vector{rank % 2});
    CHECK(diagonals[static_cast<std::size_t>(rank)].empty());
  }
}

TEST_CASE("neighbours on the grid are neighbours in time, wherever they sit") {
  // Along the last dimension of torus:3x4 a message takes one link: α + 1·400 ns, though ranks are shuffled.
  const Fabric fabric = fabric_of("torus:3x4");
  const Placement shuffled = random_placement(12, fabric.topology(), 3);
  const Report report = emulate(fabric, shuffled, [](Communicator& comm) {
    const Grid& grid = *comm.grid();
    const int at = grid.coordinate(comm.rank(), 1);
    const Numbers none;
    Numbers empty;
    comm.sendrecv(grid.neighbor(comm.rank(), 1, (at + 1) % 4), none, grid.neighbor(comm.rank(), 1, (at + 3) % 4), empty);
  });
  CHECK(report.completion == 1'400_ns);
}

TEST_CASE("strands have their rank's grid, parts that fill no box have none, and a flat fabric has one tier") {
  run_on(fabric_of("mesh:2x2"), [](Communicator& comm) {
    const auto part = comm.split(comm.rank().value() / 3, 0);
    bool same = false;
    comm.concurrently(1, [&](int, Communicator& strand) { same = strand.grid() == comm.grid(); });
    if (!same || comm.grid()->wraps()) throw std::logic_error("not the mesh");
    if (comm.rank().value() < 3 && part->grid()) throw std::logic_error("three ranks fill no grid");
    if (comm.tiers().group != std::vector<std::vector<int>>{{0, 0, 0, 0}}) throw std::logic_error("not one tier");
    if (part->tiers().group.size() != 1) throw std::logic_error("not one tier");
    if (part->tiers().group[0] != std::vector<int>(static_cast<std::size_t>(part->size()), 0))
      throw std::logic_error("not one group");
  });
}

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
      for (int step = 0; step < 7; ++step) exchange(comm, right(comm), left(comm), step);
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
  SECTION("strands count side by side, and their rank goes on from the longest") {
    const Report report = run([](Communicator& comm) {
      carry(comm, {{0, 1, 8}});
      comm.concurrently(3, [](int i, Communicator& strand) {
        for (int k = 0; k < i; ++k) carry(strand, {{0, 1, 8}});
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
    const Report report = emulate(
        topology, [](Communicator& comm) { comm.wait_all({}); }, on(threads));
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

}  // namespace heddle
