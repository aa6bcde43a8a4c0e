// SPDX-License-Identifier: Apache-2.0
// Which message a receive gets, as ranks see it. Speeds: B = 1 byte/ns, α = 1 us, 400 ns a link.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

std::vector<std::int32_t> numbers(std::size_t count, std::int32_t value) { return std::vector<std::int32_t>(count, value); }

void send(Communicator& comm, int dest, const std::vector<std::int32_t>& values, Tag tag = {}) {
  comm.send(Rank(dest), values, tag);
}

FabricSettings with_gamma() {
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  return settings;
}

}  // namespace

TEST_CASE("messages of one stream do not overtake, though a later one arrives first") {
  // 10,000 and 4 bytes share the link: the small one has drained after 8 ns, arrives at 1 us + 8 ns + 400 ns, and waits for the
  // large one, which arrives at 1 us + 10,004 ns + 400 ns. Then both are there.
  const Threads threads = each_kind_of_threads();
  std::vector<std::int32_t> first(2'500), second(2'500);
  std::array<Status, 2> statuses;
  const Report report = run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const auto large = numbers(2'500, 1), small = numbers(1, 2);
          comm.wait_all({comm.isend(Rank(1), large), comm.isend(Rank(1), small)});
        } else {
          const std::array requests = {comm.irecv(Rank(0), first), comm.irecv(Rank(0), second)};
          comm.wait_all(requests, statuses);
        }
      },
      on(threads));
  CHECK(first == numbers(2'500, 1));
  CHECK(second[0] == 2);
  CHECK(statuses[0].count == 2'500);
  CHECK(statuses[1].count == 1);
  CHECK(report.ranks[1].completion == 11'404_ns);
}

TEST_CASE("tags are streams of their own: a small message passes a large one of another tag") {
  // Tag 2 arrives at 1 us + 8 ns + 400 ns, tag 1 at 1 us + 10,004 ns + 400 ns.
  const Threads threads = each_kind_of_threads();
  std::vector<std::int32_t> large(2'500), small(1), passed_on(1);
  std::array<Status, 2> statuses;
  const Report report = run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const auto ones = numbers(2'500, 1), two = numbers(1, 2);
          comm.wait_all({comm.isend(Rank(1), ones, Tag(1)), comm.isend(Rank(1), two, Tag(2))});
        } else if (comm.rank() == Rank(1)) {
          statuses[0] = comm.recv(Rank(0), small, Tag(2));
          comm.send(Rank(2), small);  // leaves at 1,408 ns
          statuses[1] = comm.recv(Rank(0), large, Tag(1));
        } else {
          comm.recv(Rank(1), passed_on);
        }
      },
      on(threads));
  CHECK(small[0] == 2);
  CHECK(passed_on[0] == 2);
  CHECK(large == numbers(2'500, 1));
  CHECK(statuses[0].tag == Tag(2));
  CHECK(statuses[1].tag == Tag(1));
  CHECK(report.ranks[2].completion == 1'408_ns + 1_us + 4_ns + 400_ns);
  CHECK(report.ranks[1].completion == 11'404_ns);
}

TEST_CASE("communicators are streams of their own") {
  const Threads threads = each_kind_of_threads();
  std::vector<std::int32_t> of_world(1), of_half(1);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        const auto other = comm.split(0, 0);
        if (comm.rank() == Rank(0)) {
          const auto one = numbers(1, 1), two = numbers(1, 2);
          comm.wait_all({comm.isend(Rank(1), one), other->isend(Rank(1), two)});
        } else {
          other->recv(Rank(0), of_half);
          comm.recv(Rank(0), of_world);
        }
      },
      on(threads));
  CHECK(of_world[0] == 1);
  CHECK(of_half[0] == 2);
}

TEST_CASE("any source: the first to arrive") {
  // ring:8, to rank 0: 3 links (from 3) 2,204 ns, 1 link (from 1) 1,404 ns, 2 links (from 6) 1,804 ns
  const Threads threads = each_kind_of_threads();
  std::vector<int> peers;
  std::vector<std::int32_t> values;
  run_on(
      fabric_of("ring:8"),
      [&](Communicator& comm) {
        const int rank = comm.rank().value();
        if (rank == 0) {
          for (int i = 0; i < 3; ++i) {
            std::vector<std::int32_t> value(3);
            const Status status = comm.recv(kAnySource, value, Tag(5));
            if (status.count != 1 || status.tag != Tag(5)) throw std::runtime_error("a status that is not the message's");
            peers.push_back(status.peer.value());
            values.push_back(value[0]);
          }
        } else if (rank == 3 || rank == 1 || rank == 6) {
          send(comm, 0, numbers(1, 10 * rank), Tag(5));
        }
      },
      on(threads));
  CHECK(peers == std::vector{1, 6, 3});
  CHECK(values == std::vector<std::int32_t>{10, 60, 30});
}

TEST_CASE("any source: of those that arrived before it was posted, the first") {
  const Threads threads = each_kind_of_threads();
  std::vector<int> peers;
  run_on(
      fabric_of("ring:8", with_gamma()),
      [&](Communicator& comm) {
        const int rank = comm.rank().value();
        if (rank == 0) {
          compute(comm, 1'000'000);
          for (int i = 0; i < 3; ++i) {
            std::vector<std::int32_t> value(1);
            peers.push_back(comm.recv(kAnySource, value).peer.value());
          }
        } else if (rank == 3 || rank == 1 || rank == 6) {
          send(comm, 0, numbers(1, rank));
        }
      },
      on(threads));
  CHECK(peers == std::vector{1, 6, 3});
}

TEST_CASE("receives from any source and from one are served in the order of their posting") {
  const bool any_first = GENERATE(true, false);
  std::vector<std::int32_t> any(1), one(1);
  run_on(fabric_of("ring:2"), [&](Communicator& comm) {
    if (comm.rank() == Rank(0)) {
      send(comm, 1, numbers(1, 1));
      send(comm, 1, numbers(1, 2));
      return;
    }
    if (any_first) {
      const Request first = comm.irecv(kAnySource, any);
      comm.wait_all({first, comm.irecv(Rank(0), one)});
    } else {
      const Request first = comm.irecv(Rank(0), one);
      comm.wait_all({comm.irecv(kAnySource, any), first});
    }
  });
  CHECK(any[0] == (any_first ? 1 : 2));
  CHECK(one[0] == (any_first ? 2 : 1));
}

TEST_CASE("synchronous sends meet a receive from any source when they are posted, not when they arrive") {
  // ring:8, rank 0 receives twice from any. Rank 3 sends at 0, rank 1 at 100 ns.
  // Synchronous: 3 first, arrived after 3 links.  Eager: 1 first, at 100 + 1,404 ns < 2,204 ns.
  EmulationSettings settings;
  settings.threads = each_kind_of_threads();
  const bool synchronous = GENERATE(true, false);
  if (synchronous) settings.buffering = Buffering::synchronous();
  std::vector<int> peers;
  run_on(
      fabric_of("ring:8", with_gamma()),
      [&](Communicator& comm) {
        const int rank = comm.rank().value();
        std::vector<std::int32_t> value(1);
        if (rank == 0) {
          for (int i = 0; i < 2; ++i) peers.push_back(comm.recv(kAnySource, value).peer.value());
        } else if (rank == 3) {
          comm.send(Rank(0), value);
        } else if (rank == 1) {
          compute(comm, 100);
          comm.send(Rank(0), value);
        }
      },
      settings);
  CHECK(peers == (synchronous ? std::vector{3, 1} : std::vector{1, 3}));
}

TEST_CASE("a message shorter than its receive leaves the rest of the buffer as it was") {
  // Longer than what poison covers, and shorter.
  const std::size_t sent = GENERATE(0, 1, 3, 16, 17, 40);
  CAPTURE(sent);
  std::vector<std::int32_t> received = numbers(50, -1);
  Status status;
  run_on(fabric_of("ring:2"), [&](Communicator& comm) {
    if (comm.rank() == Rank(0)) send(comm, 1, numbers(sent, 8));
    if (comm.rank() == Rank(1)) status = comm.recv(Rank(0), received);
  });
  std::vector<std::int32_t> expected = numbers(50, -1);
  std::fill_n(expected.begin(), sent, 8);
  CHECK(received == expected);
  CHECK(status.count == static_cast<std::int64_t>(sent));
}

TEST_CASE("the status of a send is its own") {
  Status status;
  run_on(fabric_of("ring:2"), [&](Communicator& comm) {
    std::vector<std::int32_t> data(3);
    if (comm.rank() == Rank(0)) status = comm.wait(comm.isend(Rank(1), data, Tag(9)));
    if (comm.rank() == Rank(1)) comm.recv(Rank(0), data, Tag(9));
  });
  CHECK(status.peer == Rank(1));
  CHECK(status.tag == Tag(9));
  CHECK(status.count == 3);
}

}  // namespace heddle
