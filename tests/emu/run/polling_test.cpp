// SPDX-License-Identifier: Apache-2.0
// Ranks that poll: when they wake, and what is said of those that poll for ever. Speeds: α = 1 us, 1 byte/ns, 400 ns a link.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/engine/tasks.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/must.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

/// Asks until it has come, and sleeps in between as a layer over this may: 1 ns · 2^k, at most 1 ms. How often it has asked.
int poll_for(Communicator& comm, Request request, bool reads_clock = false) {
  const Polling polling{.requests = std::span(&request, 1), .reads_clock = reads_clock};
  Time limit = 1_ns;
  for (int asked = 1;; ++asked) {
    if (comm.is_complete(request)) return asked;
    limit = comm.doze(polling, limit) ? 1_ns : std::min(limit * 2, Time::ps(1'000'000'000));
  }
}

}  // namespace

TEST_CASE("polling: a request is seen at the timestamp at which it completes") {
  Time seen_at;
  int asked = 0;
  const Report report = run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          comm.sleep(100_us);
          send_numbers(comm, 1, {1});
        } else {
          Numbers into(1);
          const Request receive = comm.irecv(Rank(0), into);
          asked = poll_for(comm, receive);
          seen_at = comm.now();
          comm.wait(receive);
        }
      },
      on(each_kind_of_threads()));
  CHECK(seen_at == 101'404_ns);
  CHECK(asked < 25);
  CHECK(report.completion == 101'404_ns);
  CHECK(report.critical_path.parts.total() == report.completion);
}

TEST_CASE("polling: a message that can be found wakes, a limit that has passed wakes, and both say so") {
  std::vector<bool> happened;
  std::vector<Time> at;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          comm.sleep(10_us);
          send_numbers(comm, 1, {1});
        } else {
          const MessagePattern any{kAnySource, kAnyTag};
          const auto doze = [&](Time limit) {
            must(!comm.iprobe(any.source, any.tag), "nothing is there yet");
            happened.push_back(comm.doze({.probes = std::span(&any, 1)}, limit));
            at.push_back(comm.now());
          };
          doze(3_us);
          doze(100_us);
          must(comm.iprobe(any.source, any.tag).has_value(), "it is there");
          Numbers into(1);
          comm.recv(Rank(0), into);
        }
      },
      on(each_kind_of_threads()));
  CHECK(happened == std::vector<bool>{false, true});
  CHECK(at == std::vector<Time>{3_us, 11'404_ns});
}

TEST_CASE("polling: what happens between the question and the sleep is not slept through") {
  // Rank 1 asks and sleeps at the timestamp at which rank 0's message to it, which takes no time, is there.
  EmulationSettings settings = on(each_kind_of_threads());
  settings.buffering.credits = 0;
  Time seen_at = 1_us;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        const Numbers values = {1};
        if (comm.rank() == Rank(0)) {
          static_cast<void>(comm.iprobe(Rank(1), {}));  // time slices, at timestamp 0
          comm.send(Rank(1), values);
        } else {
          while (!comm.iprobe(Rank(0), {})) comm.doze({}, 10_us);
          seen_at = comm.now();
          Numbers into(1);
          comm.recv(Rank(0), into);
        }
      },
      settings);
  CHECK(seen_at == 0_ns);
}

TEST_CASE("polling: where only ranks that poll are left, it is a deadlock, which says for what they do") {
  const CheckError error = check_error_of(
      fabric_of("ring:3"),
      [](Communicator& comm) {
        Numbers into(4);
        if (comm.rank() == Rank(0)) {
          poll_for(comm, comm.irecv(Rank(1), into, Tag(6)));
        } else if (comm.rank() == Rank(1)) {
          const std::array<MessagePattern, 1> probes = {{{Rank(0), kAnyTag}}};
          while (!comm.iprobe(Rank(0), kAnyTag)) comm.doze({.probes = probes}, 1000_us);
        } else {
          comm.recv(Rank(0), into);
        }
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("3 of 3 ranks are blocked, and nothing is on its way"));
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits by polling to receive 4 x i32 from rank 1 (tag 6)"));
  CHECK_THAT(error.what(), Catch::Contains("rank 1 waits by polling for a message from rank 0 (any tag)"));
  CHECK_THAT(error.what(), Catch::Contains("rank 2 waits to receive 4 x i32 from rank 0 (tag 0)"));
}

TEST_CASE("polling: of thousands of questions in vain, some dozens have a time slice") {
  std::array<int, 8> asked{};
  const std::uint64_t before = emu::slices_of_tasks;
  const CheckError error = check_error_of(
      fabric_of("ring:8"),
      [&](Communicator& comm) {
        Numbers into(4);
        Numbers from(4);
        const Request sent = comm.isend(Rank(left(comm)), from, Tag(1));  // it completes, and nobody asks for it
        const Request receive = comm.irecv(Rank(left(comm)), into);
        const Polling polling{.requests = std::span(&receive, 1)};
        for (; !comm.is_complete(sent) || !comm.is_complete(receive); comm.doze(polling, 1000_us))
          ++asked[static_cast<std::size_t>(comm.rank().value())];
      },
      on(Threads::kernel));
  CHECK(error.kind() == CheckError::Kind::deadlock);
  for (const int of_rank : asked) CHECK(of_rank >= 100'000);
  CHECK(emu::slices_of_tasks - before < 8 * 100);
}

TEST_CASE("polling: a look at many open requests, one after the other, is one time slice; asking on for one is not") {
  constexpr int kRequests = 500;
  constexpr int kLooks = 20;
  const std::uint64_t before = emu::slices_of_tasks;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          comm.sleep(100_us);
          for (int i = kRequests - 1; i >= 0; --i) send_numbers(comm, 1, {i}, Tag(i));
          return;
        }
        Numbers into(kRequests);
        std::vector<Request> receives;
        for (int i = 0; i < kRequests; ++i) receives.push_back(comm.irecv(Rank(0), std::span(into).subspan(i, 1), Tag(i)));
        for (int look = 0; look < kLooks; ++look) {
          for (const Request receive : receives) must(!comm.is_complete(receive), "nothing has come yet");
        }
        const std::size_t first = comm.wait_any(receives);
        must(comm.is_complete(receives[0]) == (first == 0), "it is the first that was asked for, or has not come");
        receives.erase(receives.begin() + static_cast<std::ptrdiff_t>(first));
        comm.wait_all(receives);
        for (int i = 0; i < kRequests; ++i) must(into[static_cast<std::size_t>(i)] == i, "each into its own");
      },
      on(Threads::user));
  CHECK(emu::slices_of_tasks - before < 2 * (kRequests + kLooks));
}

TEST_CASE("polling: a question that is not the one before may be answered, and so may one after a message") {
  const auto look_in_vain = [](Communicator& comm, Tag tag) {
    for (int i = 0; i < 100; ++i) {
      must(!comm.iprobe(Rank(0), tag), "nothing is there");
      comm.doze({}, 1_us);
    }
  };
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          send_numbers(comm, 1, {1}, Tag(1));
          comm.sleep(1000_us);
          send_numbers(comm, 1, {1}, Tag(2));
        } else {
          comm.sleep(100_us);
          look_in_vain(comm, Tag(2));
          must(comm.iprobe(Rank(0), Tag(1)).has_value(), "it has been there all the time");
          while (!comm.iprobe(Rank(0), Tag(2))) comm.doze({}, 1000_us);
          must(comm.now() == 1'002'408_ns, "at once");
          look_in_vain(comm, Tag(3));
          Numbers into(1);
          comm.recv(Rank(0), into, Tag(1));
          comm.recv(Rank(0), into, Tag(2));
        }
      },
      on(each_kind_of_threads()));
}

TEST_CASE("polling: a rank that sleeps between its questions sleeps on, and does not go on for ever") {
  std::vector<Time> at;
  const auto poll = [&at](Communicator& comm, Time sleep, bool is_sent) {
    if (comm.rank() == Rank(0)) {
      comm.sleep(25'000_us);
      if (is_sent) send_numbers(comm, 1, {1});
      return;
    }
    Numbers into(1);
    const Request receive = comm.irecv(Rank(0), into);
    while (!comm.is_complete(receive)) comm.doze({.requests = std::span(&receive, 1), .sleeps = true}, sleep);
    at.push_back(comm.now());
    comm.wait(receive);
  };
  run_on(
      fabric_of("ring:2"), [&](Communicator& comm) { poll(comm, 10'000_us, true); }, on(each_kind_of_threads()));
  CHECK(at == std::vector<Time>{30'000_us});
  const CheckError error = check_error_of(
      fabric_of("ring:2"), [&](Communicator& comm) { poll(comm, Time::ps(10'000'000'000'000), false); },
      on(threads_under_test().front()));
  CHECK(error.kind() == CheckError::Kind::endless);
  CHECK_THAT(error.what(), Catch::Contains("rank 1 waits by polling to receive 1 x i32 from rank 0"));
}

TEST_CASE("polling: a rank that polls some times and goes on is none that is blocked, nor while others work") {
  Numbers into(1);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          for (int i = 0; i < 1'500; ++i) comm.doze({}, 1_us);
          send_numbers(comm, 1, {5});
          comm.sleep(Time::ps(10'000'000'000));
          send_numbers(comm, 1, {6}, Tag(1));
        } else {
          comm.recv(Rank(0), into);
          const Request receive = comm.irecv(Rank(0), into, Tag(1));
          must(poll_for(comm, receive) > 20, "it has polled often");
          comm.wait(receive);
        }
      },
      on(each_kind_of_threads()));
  CHECK(into == Numbers{6});
}

TEST_CASE("polling: who reads the clock has a deadline, or goes on for ever") {
  const auto poll = [](Time deadline, Time limit) {
    return [deadline, limit](Communicator& comm) {
      const MessagePattern any{kAnySource, kAnyTag};
      while (!comm.iprobe(any.source, any.tag) && comm.now() < deadline)
        comm.doze({.probes = std::span(&any, 1), .reads_clock = true}, limit);
    };
  };
  run_on(fabric_of("ring:2"), poll(100_us, 1_us), on(each_kind_of_threads()));
  EmulationSettings settings;
  settings.threads = threads_under_test().front();
  const CheckError error =
      check_error_of(fabric_of("ring:1"), poll(Time::ps(3'000'000'000'000'000'000), Time::ps(10'000'000'000'000)), settings);
  CHECK(error.kind() == CheckError::Kind::endless);
  CHECK_THAT(error.what(), Catch::Contains("ranks poll for ever"));
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits by polling for a message from any rank (any tag)"));
}

TEST_CASE("polling: a limit of no time is refused") {
  const CheckError error = check_error_of(fabric_of("ring:1"), [](Communicator& comm) { comm.doze({}, Time()); });
  CHECK_THAT(error.what(), Catch::Contains("the limit must be above 0"));
}

TEST_CASE("polling: the same bytes on both kinds of threads") {
  const auto times = [](Threads threads) {
    std::vector<Time> at(8);
    run_on(
        fabric_of("ring:8"),
        [&](Communicator& comm) {
          const Numbers values(static_cast<std::size_t>(100 * comm.rank().value() + 1), 3);
          Numbers into(1'000);
          const Request receive = comm.irecv(Rank(left(comm)), into);
          const Request send = comm.isend(Rank(right(comm)), values);
          poll_for(comm, send);
          poll_for(comm, receive);
          comm.wait_all({send, receive});
          at[static_cast<std::size_t>(comm.rank().value())] = comm.now();
        },
        on(threads));
    return at;
  };
  const std::vector<Time> expected = times(threads_under_test().front());
  CHECK(times(threads_under_test().back()) == expected);
}

}  // namespace heddle
