// SPDX-License-Identifier: Apache-2.0
// Who waits for whom under each buffering. ring:2 with B = 1 byte/ns, α = 1 us, 400 ns a link; 10,000 B a message: drained
// 11 us after it may start, arrived 11.4 us after. Receives are posted at 50 us where they are late.
#include <algorithm>
#include <array>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

Fabric fabric_with_gamma(std::string_view topology) {
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  return fabric_of(topology, settings);
}

EmulationSettings buffered(Buffering buffering) {
  EmulationSettings settings;
  settings.buffering = buffering;
  return settings;
}

/// Rank 0 sends at once, rank 1 receives after `pause` ns.
RankFunction late_receiver(int messages, std::int64_t pause) {
  return [messages, pause](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, pause);
    carry(comm, std::vector<Transfer>(static_cast<std::size_t>(messages), {0, 1, 10'000}));
  };
}

struct Times {
  Time sender;
  Time receiver;
  friend bool operator==(const Times&, const Times&) = default;
};

Times times(const Report& report) { return {report.ranks[0].completion, report.ranks[1].completion}; }

}  // namespace

TEST_CASE("eager: a send does not wait for its receive") {
  // sender: α + m/B = 11 us;  receiver: when it asks, at 50 us
  const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(1, 50'000), buffered(Buffering::eager()));
  CHECK(times(report) == Times{11_us, 50_us});
}

TEST_CASE("synchronous: a message starts when its receive is posted") {
  SECTION("receive at 50 us: sender 50 us + α + m/B, receiver 0.4 us later") {
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(1, 50'000), buffered(Buffering::synchronous()));
    CHECK(times(report) == Times{61_us, 61'400_ns});
  }
  SECTION("receive posted before: as eager") {
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(1, 0), buffered(Buffering::synchronous()));
    CHECK(times(report) == Times{11_us, 11'400_ns});
  }
  SECTION("three at once, when all receives are posted: α + 3·m/B + L") {
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(3, 50'000), buffered(Buffering::synchronous()));
    CHECK(times(report) == Times{81_us, 81'400_ns});
  }
  SECTION("a message to oneself takes no time once it is asked for; before that it waits as others do: memory_use_test") {
    const Report report = run_on(
        fabric_with_gamma("ring:1"),
        [](Communicator& comm) {
          std::vector<std::int32_t> sent = {5}, received(1);
          const Request receive = comm.irecv(Rank(0), received);
          comm.send(Rank(0), sent);
          comm.wait(receive);
          if (received[0] != 5) throw std::runtime_error("not what was sent");
        },
        buffered(Buffering::synchronous()));
    CHECK(report.completion == Time());
  }
}

TEST_CASE("k credits: the k+1st message waits until the receiver has taken one") {
  SECTION("2 credits, 3 messages, late receiver") {
    // Two share the link: drained at 1 + 20 us. The third starts when the first is taken, at 50 us: 50 + 11 us, + 0.4 us.
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(3, 50'000), buffered(Buffering::limited(2)));
    CHECK(times(report) == Times{61_us, 61'400_ns});
  }
  SECTION("3 credits, 3 messages, late receiver: as eager, 1 + 30 us") {
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(3, 50'000), buffered(Buffering::limited(3)));
    CHECK(times(report) == Times{31_us, 50_us});
  }
  SECTION("1 credit: stop and wait, n·(α + m/B + L)") {
    // 5·11.4 us = 57 us; the last has drained 0.4 us before
    const Report report = run_on(fabric_with_gamma("ring:2"), late_receiver(5, 0), buffered(Buffering::limited(1)));
    CHECK(times(report) == Times{56'600_ns, 57_us});
  }
}

TEST_CASE("credits are counted per sender and receiver, whatever the tag") {
  // One credit. To rank 1 with tags 1 and 2: one after the other, 2·(α + m/B + L) = 22.8 us. To rank 2 at once, over another
  // link: α + m/B + L = 11.4 us.
  const Threads threads = each_kind_of_threads();
  EmulationSettings settings = buffered(Buffering::limited(1));
  settings.threads = threads;
  const Report report = run_on(
      fabric_with_gamma("fullmesh:3"),
      [](Communicator& comm) {
        std::vector<std::byte> a(10'000), b(10'000), c(10'000);
        if (comm.rank() == Rank(0))
          comm.wait_all({comm.isend(Rank(1), a, Tag(1)), comm.isend(Rank(1), b, Tag(2)), comm.isend(Rank(2), c, Tag(1))});
        if (comm.rank() == Rank(1)) comm.wait_all({comm.irecv(Rank(0), b, Tag(2)), comm.irecv(Rank(0), a, Tag(1))});
        if (comm.rank() == Rank(2)) comm.recv(Rank(0), c, Tag(1));
      },
      settings);
  CHECK(report.ranks[1].completion == 22'800_ns);
  CHECK(report.ranks[2].completion == 11'400_ns);
}

TEST_CASE("held messages go in the order of their posting") {
  std::vector<std::int32_t> received;
  run_on(
      fabric_with_gamma("ring:2"),
      [&received](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          std::vector<std::int32_t> values = {1, 2, 3, 4, 5};
          std::vector<Request> requests;
          for (const std::int32_t& value : values) requests.push_back(comm.isend(Rank(1), std::span(&value, 1)));
          comm.wait_all(requests);
        } else {
          compute(comm, 50'000);
          for (int i = 0; i < 5; ++i) {
            std::vector<std::int32_t> value(1);
            comm.recv(Rank(0), value);
            received.push_back(value[0]);
          }
        }
      },
      buffered(Buffering::limited(2)));
  CHECK(received == std::vector<std::int32_t>{1, 2, 3, 4, 5});
}

TEST_CASE("buffering is read and written as eager, sync or a number") {
  CHECK_FALSE(parse_buffering("eager").credits);
  CHECK(parse_buffering("sync").credits == 0);
  CHECK(parse_buffering("0").credits == 0);
  CHECK(parse_buffering("12").credits == 12);
  for (const char* text : {"eager", "sync", "3"}) CHECK(to_string(parse_buffering(text)) == text);
  for (const char* text : {"", "-1", "2x", " 2", "1.5", "bounded", "99999999999"}) {
    CHECK_THROWS_AS(parse_buffering(text), InputError);
    CHECK_THROWS_WITH(parse_buffering(text), Catch::Contains(std::string("'") + text + "'") && Catch::Contains("try eager"));
  }
}

TEST_CASE("negative credits are refused") {
  CHECK_THROWS_AS(run_on(fabric_of("ring:2"), at_once({}), buffered(Buffering::limited(-1))), InputError);
}

// A defect: what a credit given back at the end of a timestamp sent was not solved, and the run taken for a deadlock.
TEST_CASE("where nothing takes time, messages that wait for credits go at once") {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  const Fabric fabric = fabric_of("star:3", settings);
  const RankFunction flood = [](Communicator& comm) {
    std::vector<Transfer> transfers;
    for (int i = 0; i < 20; ++i) transfers.push_back({i % 3, (i + 1 + i / 3 % 2) % 3, i % 5 == 0 ? 0 : 100});
    carry(comm, transfers);
  };
  for (const char* model : {"fluid", "alpha-beta"}) {
    for (int credits = 0; credits <= 4; ++credits) {
      INFO(model << ", " << credits << " credits");
      EmulationSettings with = buffered(Buffering::limited(credits));
      with.model = parse_model(model);
      CHECK(run_on(fabric, flood, with).completion == Time());
    }
  }
}

/// Each rank sends to its right and then passes on what comes from its left: it takes that once there is room to its right.
RankFunction relay_in_a_ring(bool asks) {
  return [asks](Communicator& comm) {
    const Rank right((comm.rank().value() + 1) % comm.size());
    const Rank left((comm.rank().value() + comm.size() - 1) % comm.size());
    std::vector<std::int32_t> data(100);
    comm.send(right, data);
    if (asks) comm.wait_for_room(right, Tag());
    comm.recv(left, data);
    comm.send(right, data);
    comm.recv(left, data);
  };
}

TEST_CASE("who waits for room before it receives keeps the room of what it is to receive") {
  // All channels of a ring are full after the first sends: with one credit nobody can go on, with two each has room.
  for (const int ranks : {2, 3, 7}) {
    const Fabric fabric = fabric_of("ring:" + std::to_string(ranks));
    CHECK_NOTHROW(run_on(fabric, relay_in_a_ring(false), buffered(Buffering::limited(1))));
    for (const Buffering buffering : {Buffering::eager(), Buffering::limited(2), Buffering::limited(3)}) {
      const Report asks = run_on(fabric, relay_in_a_ring(true), buffered(buffering));
      CHECK(asks.completion == run_on(fabric, relay_in_a_ring(false), buffered(buffering)).completion);
    }
    try {
      run_on(fabric, relay_in_a_ring(true), buffered(Buffering::limited(1)));
      FAIL("it ended with one credit");
    } catch (const CheckError& error) {
      CHECK(error.kind() == CheckError::Kind::deadlock);
      CHECK_THAT(error.what(), Catch::Contains("rank 0 waits for room to send to rank 1 (tag 0): 1 of 1 credits are taken"));
    }
  }
}

TEST_CASE("room is there when the receiver has taken what filled it") {
  // One credit. Rank 0 sends at once: drained at 11 us, and rank 1 takes it when it has computed, at 50 us. Then there is room.
  const RankFunction program = [](Communicator& comm) {
    std::vector<std::byte> data(10'000);
    if (comm.rank() == Rank(1)) {
      compute(comm, 50'000);
      comm.recv(Rank(0), data);
      return;
    }
    comm.send(Rank(1), data);
    comm.wait_for_room(Rank(1), Tag());
  };
  for (const auto& [buffering, time] : std::vector<std::pair<Buffering, Time>>{
           {Buffering::limited(1), 50_us}, {Buffering::limited(2), 11_us}, {Buffering::eager(), 11_us}})
    CHECK(times(run_on(fabric_with_gamma("ring:2"), program, buffered(buffering))).sender == time);
  const RankFunction nowhere = [](Communicator& comm) { comm.wait_for_room(Rank(5), Tag()); };
  CHECK_THROWS_AS(run_on(fabric_of("ring:2"), nowhere), CheckError);
}

}  // namespace heddle
