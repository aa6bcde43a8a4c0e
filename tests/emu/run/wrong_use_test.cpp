// SPDX-License-Identifier: Apache-2.0
// Wrong use of messages and requests: each is caught, by its kind and in words that name ranks, tag and element.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Kind = CheckError::Kind;
using Catch::Contains;

}  // namespace

TEST_CASE("a send buffer that changes too early") {
  // 400 bytes: drained at 1 us + 400 ns
  const EmulationSettings settings = on(each_kind_of_threads());
  std::size_t changed = 0;
  std::string element;
  SECTION("in its first element") { changed = 0, element = "element 0 of it"; }
  SECTION("in its last element") { changed = 99, element = "element 99 of it"; }
  std::int64_t pause = 0;
  SECTION("before it starts") { changed = 42, element = "element 42 of it", pause = 0; }
  SECTION("on its way") { changed = 42, element = "element 42 of it", pause = 1'200; }

  const CheckError error = check_error_of(
      reducing_ring(3),
      [&](Communicator& comm) {
        std::vector<std::int32_t> data(100, 5);
        if (comm.rank() == Rank(1)) {
          const Request request = comm.isend(Rank(2), data, Tag(8));
          compute(comm, pause);
          data[changed] = 6;
          comm.wait(request);
        } else if (comm.rank() == Rank(2)) {
          comm.recv(Rank(1), data, Tag(8));
        }
      },
      settings);
  CHECK(error.kind() == Kind::hygiene);
  CHECK_THAT(error.what(), Contains("rank 1 changed a send buffer before its send was complete") &&
                               Contains("the message of 100 x i32 from rank 1 to rank 2 (tag 8)") && Contains(element));
}

TEST_CASE("the element that changed is counted through all pieces of a message") {
  const CheckError error = check_error_of(
      reducing_ring(2),
      [](Communicator& comm) {
        std::vector<std::int64_t> first(10), none, second(10);
        const std::vector<ConstVectorView> pieces = {first, none, second};
        if (comm.rank() == Rank(0)) {
          const Request request = comm.isend(Rank(1), pieces);
          second[3] = 1;
          comm.wait(request);
        } else {
          std::vector<std::int64_t> all(20);
          comm.recv(Rank(0), all);
        }
      },
      on(each_kind_of_threads()));
  CHECK_THAT(error.what(), Contains("element 13 of it"));
}

TEST_CASE("a send buffer may change once the send has been waited for, received or not") {
  std::vector<std::int32_t> received(4);
  run_on(
      reducing_ring(2),
      [&received](Communicator& comm) {
        std::vector<std::int32_t> data(4, 1);
        if (comm.rank() == Rank(0)) {
          comm.send(Rank(1), data);
          std::fill(data.begin(), data.end(), 2);
          compute(comm, 10'000);
        } else {
          compute(comm, 5'000);
          comm.recv(Rank(0), received);
        }
      },
      on(each_kind_of_threads()));
  CHECK(received == std::vector<std::int32_t>(4, 1));
}

TEST_CASE("a message longer than its receive") {
  const CheckError error = check_error_of(
      reducing_ring(2),
      [](Communicator& comm) {
        std::vector<std::int32_t> data(5);
        if (comm.rank() == Rank(0)) comm.send(Rank(1), data, Tag(3));
        if (comm.rank() == Rank(1)) comm.recv(Rank(0), std::span(data).first(4), Tag(3));
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == Kind::truncation);
  CHECK_THAT(error.what(), Contains("the message of 5 x i32 from rank 0 to rank 1 (tag 3) is longer than its receive") &&
                               Contains("rank 1 asked for 4 x i32"));
}

TEST_CASE("a receive buffer that is read while its message is on the way shows poison") {
  // An algorithm that adds what it has not yet waited for: with old data it would get 3 + 0, with the message 3 + 4.
  const EmulationSettings settings = on(each_kind_of_threads());
  std::vector<std::int32_t> too_early(4), in_time(4);
  run_on(
      reducing_ring(2),
      [&](Communicator& comm) {
        std::vector<std::int32_t> mine(4, 3), incoming(4, 0);
        if (comm.rank() == Rank(0)) {
          std::fill(mine.begin(), mine.end(), 4);
          comm.send(Rank(1), mine);
        } else {
          const Request request = comm.irecv(Rank(0), incoming);
          for (std::size_t i = 0; i < 4; ++i) too_early[i] = mine[i] + incoming[i];
          comm.wait(request);
          for (std::size_t i = 0; i < 4; ++i) in_time[i] = mine[i] + incoming[i];
        }
      },
      settings);
  CHECK(in_time == std::vector<std::int32_t>(4, 7));
  for (const std::int32_t sum : too_early) {
    CHECK(sum != 3);
    CHECK(sum != 7);
  }
}

TEST_CASE("a message that nobody receives") {
  SECTION("one") {
    const CheckError error = check_error_of(
        reducing_ring(3),
        [](Communicator& comm) {
          std::vector<std::int32_t> data(5);
          if (comm.rank() == Rank(2)) comm.send(Rank(0), data, Tag(4));
        },
        on(each_kind_of_threads()));
    CHECK(error.kind() == Kind::hygiene);
    CHECK(std::string(error.what()) ==
          "1 message that nobody received:\n  the message of 5 x i32 from rank 2 to rank 0 (tag 4)");
  }
  SECTION("to oneself") {
    const CheckError error = check_error_of(reducing_ring(1), [](Communicator& comm) {
      std::vector<std::int32_t> data(5);
      comm.send(Rank(0), data);
    });
    CHECK_THAT(error.what(), Contains("from rank 0 to rank 0"));
  }
  SECTION("many: the first eight are listed") {
    const CheckError error = check_error_of(reducing_ring(2), [](Communicator& comm) {
      std::vector<std::int32_t> data(5);
      for (int tag = 0; tag < 11; ++tag) {
        if (comm.rank() == Rank(0)) comm.send(Rank(1), data, Tag(tag));
      }
    });
    CHECK_THAT(error.what(), Contains("11 messages that nobody received") && Contains("(tag 7)") && !Contains("(tag 8)") &&
                                 Contains("… and 3 more"));
  }
}

TEST_CASE("a request that is never waited for") {
  const EmulationSettings settings = on(each_kind_of_threads());
  SECTION("a send") {
    const CheckError error = check_error_of(
        reducing_ring(2),
        [](Communicator& comm) {
          std::vector<std::int32_t> data(5);
          if (comm.rank() == Rank(0)) static_cast<void>(comm.isend(Rank(1), data, Tag(2)));
          if (comm.rank() == Rank(1)) comm.recv(Rank(0), data, Tag(2));
        },
        settings);
    CHECK(error.kind() == Kind::hygiene);
    CHECK_THAT(error.what(), Contains("rank 0 returned without waiting for 1 of its requests") &&
                                 Contains("to send 5 x i32 to rank 1 (tag 2)"));
  }
  SECTION("receives, one of them complete") {
    const CheckError error = check_error_of(
        reducing_ring(2),
        [](Communicator& comm) {
          std::vector<std::int32_t> a(5), b(6);
          if (comm.rank() == Rank(1)) comm.send(Rank(0), a);
          if (comm.rank() == Rank(0)) {
            static_cast<void>(comm.irecv(Rank(1), a));
            static_cast<void>(comm.irecv(Rank(1), b, Tag(9)));
            compute(comm, 100'000);
          }
        },
        settings);
    CHECK_THAT(error.what(), Contains("rank 0 returned without waiting for 2 of its requests") &&
                                 Contains("to receive 5 x i32 from rank 1 (tag 0)"));
  }
  SECTION("in a task") {
    const CheckError error = check_error_of(
        reducing_ring(2),
        [](Communicator& comm) {
          std::vector<std::int32_t> data(5);
          comm.concurrently(2, [&](int i, Communicator& task) {
            if (task.rank() == Rank(0) && i == 1) static_cast<void>(task.irecv(Rank(1), data));
          });
        },
        settings);
    CHECK_THAT(error.what(), Contains("rank 0 returned without waiting for 1 of its requests"));
  }
}

TEST_CASE("a request that is waited for wrongly") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const auto error_of = [&settings](const std::function<void(Communicator&, Request)>& misuse) {
    return check_error_of(
        reducing_ring(2),
        [&misuse](Communicator& comm) {
          std::vector<std::int32_t> data(5);
          if (comm.rank() == Rank(0)) misuse(comm, comm.isend(Rank(1), data));
          if (comm.rank() == Rank(1)) comm.recv(Rank(0), data);
        },
        settings);
  };
  const auto check = [](const CheckError& error) {
    CHECK(error.kind() == Kind::usage);
    CHECK_THAT(error.what(), Contains("rank 0 failed") &&
                                 Contains("wait for a request that this task has not posted, or has waited for already"));
  };
  SECTION("twice, one after the other") {
    check(error_of([](Communicator& comm, Request request) {
      comm.wait(request);
      comm.wait(request);
    }));
  }
  SECTION("twice in one wait") {
    check(error_of([](Communicator& comm, Request request) { comm.wait_all({request, request}); }));
  }
  SECTION("again, after its place has been given to another") {
    check(error_of([](Communicator& comm, Request request) {
      comm.wait(request);
      std::vector<std::int32_t> data(5);
      const Request later = comm.irecv(Rank(1), data);
      comm.wait_all({later, request});
    }));
  }
  SECTION("by another task") {
    check(error_of([](Communicator& comm, Request request) {
      comm.concurrently(1, [request](int, Communicator& task) { task.wait(request); });
    }));
  }
  SECTION("never posted") {
    check(error_of([](Communicator& comm, Request request) {
      comm.wait(request);
      comm.wait(Request());
    }));
  }
}

TEST_CASE("a rank that catches its usage error can go on") {
  std::vector<std::int32_t> received(5);
  run_on(
      reducing_ring(2),
      [&received](Communicator& comm) {
        std::vector<std::int32_t> data(5, 1);
        if (comm.rank() == Rank(1)) comm.recv(Rank(0), received);
        if (comm.rank() == Rank(1)) return;
        const Request request = comm.isend(Rank(1), data);
        try {
          comm.wait_all({request, Request()});
          throw std::logic_error("a request that was never posted was waited for");
        } catch (const UsageError&) {
          comm.wait(request);
        }
      },
      on(each_kind_of_threads()));
  CHECK(received == std::vector<std::int32_t>(5, 1));
}

TEST_CASE("a peer that does not exist") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const int peer = GENERATE(-2, 3, 1000);
  std::vector<std::int32_t> data(1);
  const CheckError send = check_error_of(
      reducing_ring(3),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(2)) comm.send(Rank(peer), data);
      },
      settings);
  const CheckError receive = check_error_of(
      reducing_ring(3),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(2)) comm.recv(Rank(peer), data);
      },
      settings);
  CHECK(send.kind() == Kind::usage);
  CHECK(receive.kind() == Kind::usage);
  CHECK_THAT(send.what(), Contains("rank 2 failed at 0") &&
                              Contains("isend to rank " + std::to_string(peer) + ": ranks of this communicator are 0 to 2"));
  CHECK_THAT(receive.what(), Contains("irecv from rank " + std::to_string(peer)));
}

TEST_CASE("any source is no destination") {
  const CheckError error = check_error_of(reducing_ring(2), [](Communicator& comm) {
    std::vector<std::int32_t> data(1);
    comm.send(kAnySource, data);
  });
  CHECK(error.kind() == Kind::usage);
}

TEST_CASE("types that differ") {
  const EmulationSettings settings = on(each_kind_of_threads());
  SECTION("between the pieces of one message") {
    const CheckError error = check_error_of(
        reducing_ring(2),
        [](Communicator& comm) {
          std::vector<std::int32_t> numbers(2);
          std::vector<float> floats(2);
          const std::vector<ConstVectorView> pieces = {numbers, floats};
          if (comm.rank() == Rank(0)) comm.wait(comm.isend(Rank(1), pieces));
        },
        settings);
    CHECK(error.kind() == Kind::usage);
    CHECK_THAT(error.what(), Contains("isend: pieces of one message have different types, i32 and f32"));
  }
  SECTION("between a message and its receive") {
    const CheckError error = check_error_of(
        reducing_ring(2),
        [](Communicator& comm) {
          std::vector<std::int32_t> numbers(2);
          std::vector<float> floats(2);
          if (comm.rank() == Rank(0)) comm.send(Rank(1), numbers, Tag(6));
          if (comm.rank() == Rank(1)) comm.recv(Rank(0), floats, Tag(6));
        },
        settings);
    CHECK(error.kind() == Kind::usage);
    CHECK_THAT(error.what(), Contains("the message of 2 x i32 from rank 0 to rank 1 (tag 6) meets a receive of another type") &&
                                 Contains("rank 1 asked for 2 x f32"));
  }
}

TEST_CASE("tasks that do not agree on their number") {
  const CheckError error = check_error_of(
      reducing_ring(4),
      [](Communicator& comm) {
        const auto half = comm.split(comm.rank().value() / 2, 0);
        if (comm.rank().value() < 2) return;
        half->concurrently(comm.rank().value(), [](int, Communicator& task) {
          std::vector<std::int32_t> out(1), in(1);
          const Rank other(1 - task.rank().value());
          task.sendrecv(other, out, other, in);
        });
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == Kind::usage);
  CHECK_THAT(error.what(), Contains("rank 3 called concurrently(3, …) where rank 2 called concurrently(2, …)"));
}

TEST_CASE("a negative number of tasks") {
  const CheckError error =
      check_error_of(reducing_ring(1), [](Communicator& comm) { comm.concurrently(-1, [](int, Communicator&) {}); });
  CHECK(error.kind() == Kind::usage);
  CHECK_THAT(error.what(), Contains("concurrently(-1, …)"));
}

TEST_CASE("local work on vectors that do not fit each other") {
  const CheckError copied = check_error_of(reducing_ring(1), [](Communicator& comm) {
    std::vector<std::int32_t> into(2), from(3);
    comm.copy(into, from);
  });
  CHECK(copied.kind() == Kind::usage);
  CHECK_THAT(copied.what(), Contains("copy of 3 x i32 into 2 x i32"));
  const CheckError reduced = check_error_of(reducing_ring(1), [](Communicator& comm) {
    std::vector<std::int32_t> into(2);
    std::vector<float> from(2);
    comm.reduce_into(into, from, ReduceOp::sum());
  });
  CHECK(reduced.kind() == Kind::usage);
}

TEST_CASE("a run that cannot be is refused before it begins") {
  const Fabric fabric = fabric_of("ring:3");
  const RankFunction never = [](Communicator&) { throw std::logic_error("it began"); };
  CHECK_THROWS_WITH(emulate(fabric, {}, never), Contains("at least one rank"));
  CHECK_THROWS_AS(emulate(fabric, {}, never), InputError);
  CHECK_THROWS_WITH(emulate(fabric, {0, 1, 0}, never), Contains("two ranks are placed on one endpoint"));
  CHECK_THROWS_WITH(emulate(fabric, {0, 3}, never), Contains("endpoint 3, and ring:3 has endpoints 0 to 2"));
  CHECK_THROWS_WITH(emulate(fabric, {-1}, never), Contains("endpoint -1"));
  for (const double scale :
       {0.0, 0.99, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EmulationSettings settings;
    settings.byte_scale = scale;
    CHECK_THROWS_AS(emulate(fabric, {0}, never, settings), InputError);
    CHECK_THROWS_WITH(emulate(fabric, {0}, never, settings), Contains("payload_scale"));
  }
  EmulationSettings settings;
  settings.stack_bytes = ~std::size_t{0};
  CHECK_THROWS_WITH(emulate(fabric, {0}, never, settings), Contains("stack_bytes") && Contains("at most 1GiB"));
}

TEST_CASE("work that would outlast the clock is refused") {
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e6;  // a second's work per microbyte: 100 bytes take three years
  CHECK_THROWS_AS(run_on(fabric_of("ring:1", settings), [](Communicator& comm) { compute(comm, 100); }), InputError);
}

}  // namespace heddle
