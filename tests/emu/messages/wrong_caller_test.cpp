// SPDX-License-Identifier: Apache-2.0
// A communicator used by somebody else than the task that it belongs to: an error that says who, and no hang, whatever runs
// the ranks.
#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "emu/memory/in_memory_runtime.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using Kind = CheckError::Kind;
using Catch::Contains;

CheckError error_in_memory(int ranks, const RankFunction& function) {
  FabricSettings free_of_limits;
  free_of_limits.tiers = {LinkSpeed{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  const Fabric fabric = fabric_of("star:" + std::to_string(ranks), free_of_limits);
  try {
    emu::InMemoryRuntime(fabric, linear_placement(ranks, fabric.topology()), true).run(function);
  } catch (const CheckError& error) {
    return error;
  }
  FAIL("the run passed");
  throw std::logic_error("unreachable: FAIL throws");
}

/// Runs on each kind of threads, under the wall clock, and in memory.
void check_misused(int ranks, const RankFunction& function, const std::string& words) {
  const auto check = [&words](const CheckError& error) {
    CHECK(error.kind() == Kind::usage);
    CHECK_THAT(error.what(), Contains(words));
  };
  const Fabric fabric = fabric_of("ring:" + std::to_string(ranks));
  for (const Threads threads : threads_under_test()) check(check_error_of(fabric, function, on(threads)));
  EmulationSettings wall;
  wall.wall = WallClockSettings{.dilation = 1000};
  check(check_error_of(fabric, function, wall));
  check(error_in_memory(ranks, function));
}

void send_number(Communicator& comm, int dest) {
  const Numbers number(1);
  comm.send(Rank(dest), number);
}

/// A call on somebody's communicator, by the name that errors give it.
struct Misuse {
  const char* name;
  std::function<void(Communicator&)> call;
};

std::vector<Misuse> misuses() {
  return {
      {"isend", [](Communicator& comm) { send_number(comm, right(comm)); }},
      {"irecv",
       [](Communicator& comm) {
         std::array<int, 1> into{};
         comm.recv(Rank(left(comm)), into);
       }},
      {"wait_all", [](Communicator& comm) { comm.wait_all({Request()}); }},
      {"concurrently", [](Communicator& comm) { comm.concurrently(2, [](int, Communicator&) {}); }},
      {"split", [](Communicator& comm) { static_cast<void>(comm.split(0, 0)); }},
      {"copy",
       [](Communicator& comm) {
         std::array<int, 1> into{}, from{};
         comm.copy(into, from);
       }},
      {"reduce_into",
       [](Communicator& comm) {
         std::array<int, 1> into{}, from{};
         comm.reduce_into(into, from, ReduceOp::sum(), Side::right);
       }},
  };
}

}  // namespace

TEST_CASE("a task that uses the communicator whose concurrently() it is a task of") {
  for (const Misuse& misuse : misuses()) {
    CAPTURE(misuse.name);
    check_misused(
        3,
        [&](Communicator& comm) {
          comm.concurrently(2, [&](int i, Communicator&) {
            if (i == 1) misuse.call(comm);
          });
        },
        std::string(", called ") + misuse.name +
            "() on the communicator whose concurrently() it is a task of; a task uses the communicator that "
            "its own function is given");
  }
}

TEST_CASE("a task within a task that uses the rank's own communicator") {
  check_misused(
      2,
      [](Communicator& comm) {
        comm.concurrently(1, [&comm](int, Communicator& task) {
          task.concurrently(2, [&comm](int, Communicator& inner) { swap_numbers(comm, right(inner), left(inner), 1); });
        });
      },
      "() on the communicator whose concurrently() it is a task of");
}

TEST_CASE("a task that uses the communicator of another task of its rank") {
  check_misused(
      2,
      [](Communicator& comm) {
        std::array<std::atomic<Communicator*>, 2> tasks{};
        std::atomic<bool> was_used = false;
        comm.concurrently(2, [&](int i, Communicator& task) {
          tasks[static_cast<std::size_t>(i)] = &task;
          const auto swap = [&task] { swap_numbers(task, right(task), left(task), 1); };
          // Rank 1 goes on until the run has failed; so does the task whose communicator is used, which lives as long.
          while (task.rank() == Rank(1) || (i == 1 && !was_used)) swap();
          if (i == 1) return;
          while (tasks[1] == nullptr) swap();
          try {
            swap_numbers(*tasks[1], right(task), left(task), 1);
          } catch (...) {
            was_used = true;
            throw;
          }
        });
      },
      "on a communicator of another task of its rank");
}

TEST_CASE("a rank that uses another rank's communicator") {
  for (const Misuse& misuse : misuses()) {
    CAPTURE(misuse.name);
    std::atomic<Communicator*> of_rank_0 = nullptr;
    check_misused(
        2,
        [&](Communicator& comm) {
          if (comm.rank() == Rank(0)) of_rank_0 = &comm;
          swap_numbers(comm, right(comm), left(comm), 1);
          if (comm.rank() == Rank(1)) misuse.call(*of_rank_0);
          swap_numbers(comm, right(comm), left(comm), 1);
        },
        std::string("rank 1 called ") + misuse.name +
            "() on the communicator of rank 0; each rank uses its own, which its function is given");
    of_rank_0 = nullptr;
  }
}

TEST_CASE("a thread of the algorithm's own that uses a rank's communicator") {
  const std::string words =
      "() on the communicator of rank 1 by a thread that is no rank's; only the thread that a rank runs on may use its "
      "communicator: for work side by side there is concurrently()";
  for (const Misuse& misuse : misuses()) {
    CAPTURE(misuse.name);
    const auto misused = [&](Communicator& comm) {
      if (comm.rank() == Rank(1)) std::thread([&] { misuse.call(comm); }).join();
      swap_numbers(comm, right(comm), left(comm), 1);
    };
    check_misused(2, misused, misuse.name + words);
  }
  check_misused(
      2,
      [](Communicator& comm) {
        // Each rank waits for the other's message, which a thread was to send.
        std::array<int, 1> into{};
        if (comm.rank() == Rank(1)) std::async(std::launch::async, [&comm] { send_number(comm, 0); }).get();
        if (comm.rank() == Rank(0)) comm.recv(Rank(1), into);
      },
      "isend" + words);
}

TEST_CASE("a task may run an emulation of its own") {
  for (const Threads threads : threads_under_test()) {
    run_on(
        fabric_of("ring:2"),
        [threads](Communicator& comm) {
          run_on(
              fabric_of("ring:3"), [](Communicator& inner) { swap_numbers(inner, right(inner), left(inner), 1); }, on(threads));
          swap_numbers(comm, right(comm), left(comm), 1);
        },
        on(threads));
  }
}

}  // namespace heddle
