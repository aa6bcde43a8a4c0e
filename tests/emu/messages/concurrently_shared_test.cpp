// SPDX-License-Identifier: Apache-2.0
// Tasks of a rank that share its messages, as threads do in MPI.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

std::array<std::int32_t, 1> one(std::int32_t number) { return {number}; }

void send_one(Communicator& task, int dest, std::int32_t number, int tag) {
  const std::array<std::int32_t, 1> data = one(number);
  task.send(Rank(dest), ConstVectorView(std::span(data)), Tag(tag));
}

std::int32_t receive_one(Communicator& task, int source, int tag) {
  std::array<std::int32_t, 1> data = one(0);
  task.recv(Rank(source), VectorView(std::span(data)), Tag(tag));
  return data[0];
}

}  // namespace

TEST_CASE("a message goes to whichever task asks for it, and ranks may have different numbers of tasks") {
  std::array<std::int32_t, 3> got{};
  run_on(
      fabric_of("ring:2"),
      [&got](Communicator& comm) {
        const bool sends = comm.rank().value() == 0;
        comm.concurrently_shared(sends ? 1 : 3, [&](int i, Communicator& task) {
          if (!sends) {
            got[static_cast<std::size_t>(i)] = receive_one(task, 0, 2 - i);
            return;
          }
          for (int tag = 0; tag < 3; ++tag) send_one(task, 1, 10 + tag, tag);
        });
        comm.concurrently_shared(0, [](int, Communicator&) {});
      },
      on(each_kind_of_threads()));
  CHECK(got == std::array<std::int32_t, 3>{12, 11, 10});
}

TEST_CASE("tasks of a rank wait for each other by empty messages to oneself, which take no time") {
  std::vector<int> order;
  const Report report = run_on(fabric_of("ring:2"), [&order](Communicator& comm) {
    if (comm.rank().value() != 0) return;
    comm.concurrently_shared(3, [&order](int i, Communicator& task) {
      if (i < 2) task.recv(Rank(0), VectorView(), Tag(i));
      order.push_back(i);
      if (i > 0) task.wait(task.isend(Rank(0), ConstVectorView(), Tag(i - 1)));
    });
  });
  CHECK(order == std::vector<int>{2, 1, 0});
  CHECK(report.completion == Time());
  CHECK(report.messages() == 0);
}

TEST_CASE("each tag has credits of its own") {
  // Two messages on each of two tags; the receiver takes those of tag 1 first. With one credit for the pair, or for each tag where the
  // sender is one task, the first of tag 0 would hold up all.
  const auto program = [](Communicator& comm) {
    const bool sends = comm.rank().value() == 0;
    comm.concurrently_shared(sends ? 2 : 1, [&](int i, Communicator& task) {
      if (sends) {
        for (int n = 0; n < 2; ++n) send_one(task, 1, n, i);
        return;
      }
      for (const int tag : {1, 0}) {
        for (int n = 0; n < 2; ++n) receive_one(task, 0, tag);
      }
    });
  };
  EmulationSettings settings;
  settings.buffering = Buffering::limited(1);
  CHECK_NOTHROW(run_on(fabric_of("ring:2"), program, settings));
}

TEST_CASE("calls that make communicators are refused among tasks that share one") {
  for (const bool splits : {true, false}) {
    const auto program = [splits](Communicator& comm) {
      comm.concurrently_shared(2, [splits](int, Communicator& task) {
        if (splits)
          static_cast<void>(task.split(0, 0));
        else
          task.concurrently(1, [](int, Communicator&) {});
      });
    };
    CHECK_THROWS_WITH(run_on(fabric_of("ring:2"), program), Catch::Contains("within concurrently_shared()"));
  }
}

}  // namespace heddle
