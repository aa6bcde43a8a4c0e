// SPDX-License-Identifier: Apache-2.0
// Tasks as requests, communicators that some ranks form, ranks that leave. Speeds: α = 1 us, 1 byte/ns, 400 ns a link.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/must.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

/// Each rank's own number goes round the ring; the sum.
std::int32_t sum_round(Communicator& comm) {
  std::int32_t sum = comm.rank().value(), number = sum;
  for (int i = 1; i < comm.size(); ++i) sum += number = swap_numbers(comm, right(comm), left(comm), number);
  return sum;
}

}  // namespace

TEST_CASE("start: a task runs side by side with its rank, and its request completes when it has ended") {
  std::vector<std::int32_t> sums(4);
  std::vector<Time> started(4), waited(4);
  run_on(
      fabric_of("ring:4"),
      [&](Communicator& comm) {
        const auto r = static_cast<std::size_t>(comm.rank().value());
        std::int32_t sum = 0;
        const Request request = comm.start([&sum](Communicator& inner) { sum = sum_round(inner); });
        started[r] = comm.now();
        must(!comm.is_complete(request), "the task has only begun");
        must(sum_round(comm) == 6, "the rank's own messages are apart from the task's");
        const Status status = comm.wait(request);
        must(status.count == 0 && status.peer == comm.rank(), "the status of an empty message to itself");
        waited[r] = comm.now();
        sums[r] = sum;
      },
      on(each_kind_of_threads()));
  CHECK(sums == std::vector<std::int32_t>(4, 6));
  CHECK(started == std::vector<Time>(4, 0_ns));
  // Both exchange at once: three rounds of 4 bytes that share their links with 4 others.
  CHECK(waited == std::vector<Time>(4, 3 * 1408_ns));
}

TEST_CASE("start: tasks of several calls are kept apart, in whatever order they end") {
  std::vector<std::size_t> first(2);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        std::array<std::int32_t, 2> sums = {};
        const std::array requests = {comm.start([&](Communicator& inner) {
                                       inner.sleep(50_us);
                                       sums[0] = sum_round(inner);
                                     }),
                                     comm.start([&](Communicator& inner) { sums[1] = 10 * sum_round(inner); })};
        first[static_cast<std::size_t>(comm.rank().value())] = comm.wait_any(requests);
        comm.wait(requests[0]);
        must(sums == std::array<std::int32_t, 2>{1, 10}, "each task met its own");
      },
      on(each_kind_of_threads()));
  CHECK(first == std::vector<std::size_t>{1, 1});
}

TEST_CASE("start: what a task holds that never began is let go before the plans of the run") {
  struct Flag {
    bool& is_set;
    ~Flag() { is_set = true; }
  };
  bool plans_are_gone = false, was_late = false;
  const auto run = [&] {
    run_on(
        fabric_of("ring:3"),
        [&](Communicator& comm) {
          comm.shared_plan<std::shared_ptr<Flag>>("flag", [&] { return std::shared_ptr<Flag>(new Flag{plans_are_gone}); });
          if (comm.rank() == Rank(2)) throw std::runtime_error("no task of this rank");
          const std::shared_ptr<void> holder(nullptr, [&](void*) { was_late = was_late || plans_are_gone; });
          // The others would have to start one, too.
          comm.wait(comm.start([holder](Communicator&) {}));
        },
        on(each_kind_of_threads()));
  };
  CHECK_THROWS_WITH(run(), Catch::Contains("no task of this rank"));
  CHECK(plans_are_gone);
  CHECK_FALSE(was_late);
}

TEST_CASE("start: a task may start others and split") {
  std::vector<std::int32_t> sums(4);
  run_on(
      fabric_of("ring:4"),
      [&](Communicator& comm) {
        std::int32_t sum = 0;
        comm.wait(comm.start([&sum](Communicator& outer) {
          const std::unique_ptr<Communicator> half = outer.split(outer.rank().value() / 2, 0);
          const std::int32_t in_half = sum_round(*half);
          outer.wait(outer.start([&](Communicator& inner) { sum = 100 * in_half + sum_round(*inner.split(0, 0)); }));
        }));
        sums[static_cast<std::size_t>(comm.rank().value())] = sum;
      },
      on(each_kind_of_threads()));
  CHECK(sums == std::vector<std::int32_t>{106, 106, 106, 106});
}

TEST_CASE("start: what a task throws is its rank's failure") {
  const CheckError error = check_error_of(
      fabric_of("ring:2"),
      [](Communicator& comm) {
        comm.wait(comm.start([](Communicator& inner) {
          inner.sleep(1_us);
          throw std::runtime_error("no more");
        }));
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::rank_failed);
  CHECK_THAT(error.what(), Catch::Contains("rank 0 failed at 1us: no more"));
}

TEST_CASE("start: a task that nobody waits for, and ranks that do not agree") {
  const CheckError unwaited = check_error_of(fabric_of("ring:1"), [](Communicator& comm) {
    static_cast<void>(comm.start([](Communicator& inner) { inner.sleep(1_us); }));
  });
  CHECK(unwaited.kind() == CheckError::Kind::hygiene);
  CHECK_THAT(unwaited.what(), Catch::Contains("one of them for a task that it has started"));

  const CheckError other = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    if (comm.rank() == Rank(0)) comm.concurrently(2, [](int, Communicator&) {});
    if (comm.rank() == Rank(1)) {
      comm.sleep(1_us);
      comm.wait(comm.start([](Communicator&) {}));
    }
  });
  CHECK(other.kind() == CheckError::Kind::usage);
  CHECK_THAT(other.what(), Catch::Contains("rank 1 called start() where rank 0 called concurrently(2, …)"));

  const CheckError waiting = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    comm.wait(comm.start([](Communicator& inner) {
      Numbers into(1);
      if (inner.rank() == Rank(0)) inner.recv(Rank(1), into);
    }));
  });
  CHECK(waiting.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(waiting.what(), Catch::Contains("rank 0 waits for a task that it has started"));
  CHECK_THAT(waiting.what(), Catch::Contains("rank 0, task 1, waits to receive 1 x i32 from rank 1 (tag 0)"));
}

TEST_CASE("form: members alone call, in the order that they name") {
  std::vector<std::int32_t> ranks(5, -1), sums(5, -1);
  run_on(
      fabric_of("ring:5"),
      [&](Communicator& comm) {
        const auto r = static_cast<std::size_t>(comm.rank().value());
        if (r == 1 || r == 3) return;
        const std::array members = {Rank(4), Rank(0), Rank(2)};
        const std::unique_ptr<Communicator> formed = comm.form(members, 0);
        ranks[r] = formed->rank().value();
        sums[r] = sum_round(*formed);
      },
      on(each_kind_of_threads()));
  CHECK(ranks == std::vector<std::int32_t>{1, -1, 2, -1, 0});
  CHECK(sums == std::vector<std::int32_t>{3, -1, 3, -1, 3});
}

TEST_CASE("form: without members it is all ranks, and nobody waits") {
  std::vector<std::int32_t> sums(3, -1);
  std::vector<Time> formed_at(3);
  run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        const auto r = static_cast<std::size_t>(comm.rank().value());
        Numbers go = {7};
        // Rank 0 calls when rank 1 has sent it a message, which it does after its own call.
        if (comm.rank() == Rank(0)) comm.recv(Rank(1), go);
        const std::unique_ptr<Communicator> first = comm.form({}, 0), second = comm.form({}, 0);
        formed_at[r] = comm.now();
        if (comm.rank() == Rank(1)) comm.send(Rank(0), go);
        sums[r] = sum_round(*second) + 10 * sum_round(*first);
      },
      on(each_kind_of_threads()));
  CHECK(sums == std::vector<std::int32_t>{33, 33, 33});
  CHECK(formed_at[1] == Time());
  CHECK(formed_at[0] > Time());
}

TEST_CASE("form: keys tell calls by the same members apart; a call is over before the next") {
  run_on(
      fabric_of("ring:3"),
      [](Communicator& comm) {
        const std::array members = {Rank(0), Rank(1), Rank(2)};
        std::array<std::unique_ptr<Communicator>, 2> formed;
        comm.concurrently(1, [](int, Communicator&) {});
        for (std::unique_ptr<Communicator>& each : formed) each = comm.form(members, 7);
        // Messages of one are not received on the other.
        const Numbers one = {1}, two = {2};
        Numbers of_first(1), of_second(1);
        if (comm.rank() == Rank(0)) {
          comm.wait_all({});
          const Request b = formed[1]->isend(Rank(1), two), a = formed[0]->isend(Rank(1), one);
          comm.wait_all({a, b});
        } else if (comm.rank() == Rank(1)) {
          formed[0]->recv(Rank(0), of_first);
          formed[1]->recv(Rank(0), of_second);
          must(of_first == one && of_second == two, "contexts of their own");
        }
      },
      on(each_kind_of_threads()));
}

TEST_CASE("form: two groups can meet in a communicator of both, each rank sending to ranks of the other") {
  // The groups are the parts of a split; their first ranks tell each other who they are, over the world.
  std::vector<std::int32_t> got(5, -1);
  run_on(
      fabric_of("ring:5"),
      [&](Communicator& world) {
        const int r = world.rank().value();
        const int side = r % 2;
        const std::unique_ptr<Communicator> mine = world.split(side, 0);
        std::vector<Rank> both;
        for (const int parity : {0, 1}) {
          for (int member = parity; member < world.size(); member += 2) both.emplace_back(member);
        }
        const std::unique_ptr<Communicator> joined = world.form(both, 1);
        const int evens = 3;
        must(joined->rank().value() == mine->rank().value() + (side == 0 ? 0 : evens), "first one group, then the other");
        const auto remote = [&](int rank) { return Rank(side == 0 ? evens + rank : rank); };
        const int others = side == 0 ? 2 : 3;
        const Numbers values = {r};
        Numbers into(1);
        // Rank i of either group sends to rank i of the other, where there is one.
        std::vector<Request> requests;
        if (mine->rank().value() < others) {
          requests.push_back(joined->irecv(remote(mine->rank().value()), into));
          requests.push_back(joined->isend(remote(mine->rank().value()), values));
        }
        joined->wait_all(requests);
        got[static_cast<std::size_t>(r)] = into[0];
      },
      on(each_kind_of_threads()));
  CHECK(got == std::vector<std::int32_t>{1, 0, 3, 2, 0});
}

TEST_CASE("form: what cannot be is refused, and who does not come is named") {
  std::string twice, absent, beyond;
  run_on(fabric_of("ring:2"), [&](Communicator& comm) {
    if (comm.rank() != Rank(0)) return;
    twice = refusal_of([&] { static_cast<void>(comm.form(std::array{Rank(0), Rank(1), Rank(0)}, 0)); });
    absent = refusal_of([&] { static_cast<void>(comm.form(std::array{Rank(1)}, 0)); });
    beyond = refusal_of([&] { static_cast<void>(comm.form(std::array{Rank(0), Rank(2)}, 0)); });
  });
  CHECK(twice == "form() with rank 0 twice; each member is named once");
  CHECK(absent == "form() by rank 0, which is no member; only members call it");
  CHECK_THAT(beyond, Catch::Contains("form() with rank 2"));
  const CheckError error = check_error_of(fabric_of("ring:3"), [](Communicator& comm) {
    if (comm.rank() != Rank(1)) static_cast<void>(comm.form(std::array{Rank(0), Rank(1), Rank(2)}, 0));
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 2 waits in form() with ranks 0, 1, 2 for those that have not called it"));
}

TEST_CASE("leave: a rank ends in the midst of its function, and the others go on") {
  static std::atomic<int> unwound;
  unwound = 0;
  struct Unwound {
    Unwound() = default;
    Unwound(const Unwound&) = delete;
    Unwound& operator=(const Unwound&) = delete;
    ~Unwound() { ++unwound; }
  };
  Numbers got(1);
  const Report report = run_on(
      fabric_of("ring:3"),
      [&](Communicator& comm) {
        const Unwound whole;
        if (comm.rank() == Rank(0)) {
          send_numbers(comm, 1, {4});
          comm.leave();
        }
        if (comm.rank() == Rank(2)) {
          comm.wait(comm.start([](Communicator& inner) {
            inner.sleep(2_us);
            inner.leave();
          }));
          return;
        }
        comm.sleep(50_us);
        comm.recv(Rank(0), got);
      },
      on(each_kind_of_threads()));
  CHECK(got == Numbers{4});
  CHECK(unwound == 2);
  CHECK(report.ranks[0].completion == 1004_ns);
  CHECK(report.ranks[1].completion == 50_us);
  CHECK(report.ranks[2].completion == 2_us);
}

TEST_CASE("leave: under the wall clock") {
  EmulationSettings settings;
  settings.wall.emplace();
  Numbers got(1);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          send_numbers(comm, 1, {4});
          comm.leave();
        }
        comm.recv(Rank(0), got);
      },
      settings);
  CHECK(got == Numbers{4});
}

TEST_CASE("leave: what a rank has not waited for is said all the same") {
  const CheckError error = check_error_of(
      fabric_of("ring:2"),
      [](Communicator& comm) {
        static Numbers into(1);
        if (comm.rank() == Rank(0)) {
          static_cast<void>(comm.irecv(Rank(1), into));
          comm.leave();
        }
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::hygiene);
}

}  // namespace heddle
