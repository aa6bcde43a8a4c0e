// SPDX-License-Identifier: Apache-2.0
// Tasks: what several branches of a rank do at the same time.
#include "heddle/communicator.hpp"

#include <array>
#include <atomic>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

}  // namespace

TEST_CASE("task i of a rank talks to task i of the others, with the same tags") {
  constexpr int kSize = 4, kTasks = 5;
  std::array<std::array<std::int32_t, kTasks>, kSize> got{};
  run_on(
      fabric_of("ring:4"),
      [&got](Communicator& comm) {
        comm.concurrently(kTasks, [&](int i, Communicator& task) {
          if (task.rank() != comm.rank() || task.size() != comm.size()) throw std::logic_error("another rank");
          const auto rank = static_cast<std::size_t>(task.rank().value());
          got[rank][static_cast<std::size_t>(i)] = swap_numbers(task, right(task), left(task), 10 * task.rank().value() + i);
        });
      },
      on(each_kind_of_threads()));
  for (int rank = 0; rank < kSize; ++rank) {
    for (int i = 0; i < kTasks; ++i) {
      CHECK(got[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)] == 10 * ((rank + kSize - 1) % kSize) + i);
    }
  }
}

TEST_CASE("tasks within tasks have streams of their own") {
  constexpr int kSize = 3;
  std::array<std::array<std::int32_t, 6>, kSize> got{};
  run_on(
      fabric_of("ring:3"),
      [&got](Communicator& comm) {
        comm.concurrently(2, [&got](int i, Communicator& outer) {
          outer.concurrently(3, [&got, i](int j, Communicator& inner) {
            const int rank = inner.rank().value();
            got[static_cast<std::size_t>(rank)][static_cast<std::size_t>(3 * i + j)] =
                swap_numbers(inner, right(inner), left(inner), 100 * rank + 10 * i + j);
          });
        });
      },
      on(each_kind_of_threads()));
  for (int rank = 0; rank < kSize; ++rank) {
    const int sender = (rank + kSize - 1) % kSize;
    const std::array<std::int32_t, 6> expected = {100 * sender,      100 * sender + 1,  100 * sender + 2,
                                                  100 * sender + 10, 100 * sender + 11, 100 * sender + 12};
    CHECK(got[static_cast<std::size_t>(rank)] == expected);
  }
}

TEST_CASE("a task does not take its rank's messages, nor those of an earlier call") {
  std::array<std::int32_t, 3> got{};
  run_on(
      fabric_of("ring:2"),
      [&got](Communicator& comm) {
        const Numbers before = {1};
        Numbers after(1);
        const bool sends = comm.rank() == Rank(0);
        const Request pending = sends ? comm.isend(Rank(1), before) : comm.irecv(Rank(0), after);
        for (std::size_t call = 0; call < 2; ++call) {
          comm.concurrently(1, [&got, sends, call](int, Communicator& task) {
            Numbers number = {static_cast<std::int32_t>(call) + 2};
            if (sends) return task.send(Rank(1), number);
            task.recv(Rank(0), number);
            got[call] = number[0];
          });
        }
        comm.wait(pending);
        if (!sends) got[2] = after[0];
      },
      on(each_kind_of_threads()));
  CHECK(got == std::array<std::int32_t, 3>{2, 3, 1});
}

TEST_CASE("tasks of a rank run at the same time") {
  // fullmesh:3, each message on a link of its own: α + m/B + L = 1 us + 10 us + 0.4 us for both together
  const Report report = run_on(
      fabric_of("fullmesh:3"),
      [](Communicator& comm) { comm.concurrently(2, [](int i, Communicator& task) {
                                 carry(task, {{0, i + 1, 10'000}});
                               }); },
      on(each_kind_of_threads()));
  CHECK(report.completion == 11'400_ns);
}

TEST_CASE("concurrently returns when all tasks have ended, with none at once") {
  const Report report = run_on(fabric_of("ring:2"), [](Communicator& comm) {
    std::atomic<int> ended{0};
    comm.concurrently(0, [](int, Communicator&) { throw std::logic_error("there is no task"); });
    comm.concurrently(3, [&ended](int i, Communicator& task) {
      carry(task, {{0, 1, 100 * i}});
      ++ended;
    });
    if (ended != 3) throw std::logic_error("returned too early");
  });
  CHECK(report.completion > Time());
}

TEST_CASE("only ranks that communicate within need to call concurrently") {
  // Rank 2 works alone in tasks of its own; split, which all call, is not put out of step by that.
  std::array<std::int32_t, 3> got{};
  run_on(fabric_of("ring:3"), [&got](Communicator& comm) {
    if (comm.rank() == Rank(2)) comm.concurrently(4, [](int, Communicator& task) { compute(task, 10); });
    const auto all = comm.split(0, 0);
    got[static_cast<std::size_t>(comm.rank().value())] = swap_numbers(*all, right(*all), left(*all), all->rank().value());
  });
  CHECK(got == std::array<std::int32_t, 3>{2, 0, 1});
}

}  // namespace heddle
