// SPDX-License-Identifier: Apache-2.0
// Destructors that communicate: what went wrong is said, whether they wait while an exception unwinds their rank, or hold up
// the end of a run that has failed.
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/sanitizers.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using Kind = CheckError::Kind;
using Catch::Contains;

/// Receives from a rank when it goes.
class ReceivesAtEnd {
 public:
  ReceivesAtEnd(Communicator& comm, Rank source) : comm_(comm), source_(source) {}
  ReceivesAtEnd(const ReceivesAtEnd&) = delete;
  ReceivesAtEnd& operator=(const ReceivesAtEnd&) = delete;
  ~ReceivesAtEnd() {
    std::array<int, 1> into{};
    comm_.recv(source_, into);
  }

 private:
  Communicator& comm_;
  Rank source_;
};

/// On each kind of threads, and in memory.
void check_fails(const RankFunction& function, Kind kind, const std::string& words, const std::string& besides = "") {
  install_process_handlers();
  const auto check = [&](const CheckError& error) {
    CHECK(error.kind() == kind);
    CHECK_THAT(error.what(), Contains(words));
  };
  for (const Threads threads : threads_under_test()) {
    const CheckError error = check_error_of(fabric_of("ring:3"), function, on(threads));
    check(error);
    CHECK_THAT(error.what(), Contains(besides));
  }
  EmulationSettings wall;
  wall.wall = WallClockSettings{.dilation = 1000};
  check(check_error_of(fabric_of("ring:3"), function, wall));
  FabricSettings free_of_limits;
  free_of_limits.tiers = {LinkSpeed{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  const Fabric fabric = fabric_of("star:3", free_of_limits);
  try {
    emu::InMemoryRuntime(fabric, linear_placement(3, fabric.topology()), true).run(function);
    FAIL("the run passed");
  } catch (const CheckError& error) {
    check(error);
  }
}

}  // namespace

TEST_CASE("a destructor that waits while an exception unwinds its rank") {
  check_fails(
      [](Communicator& comm) {
        if (comm.rank() != Rank(1)) return;
        const ReceivesAtEnd guard(comm, Rank(right(comm)));
        throw std::runtime_error("no licence");
      },
      Kind::deadlock, "rank 1 waits to receive 1 x i32 from rank 2 (tag 0)",
      "rank 1 waits in a destructor, after its function had thrown: no licence");
}

TEST_CASE("a destructor that waits while a run that has failed releases its rank") {
  check_fails(
      [](Communicator& comm) {
        const ReceivesAtEnd guard(comm, Rank(right(comm)));
        std::array<int, 1> into{};
        comm.recv(Rank(left(comm)), into);
      },
      Kind::deadlock, "rank 1 waits to receive 1 x i32 from rank 0 (tag 0)");
}

// What nothing has unwound keeps its memory, which the sanitizers report.
#if !HEDDLE_ADDRESS_SANITIZER && !HEDDLE_THREAD_SANITIZER
TEST_CASE("a destructor in which its rank is blocked for ever") {
  check_fails([](Communicator& comm) { const ReceivesAtEnd guard(comm, Rank(right(comm))); }, Kind::deadlock,
              "3 of 3 ranks are blocked, and nothing is on its way");
}

TEST_CASE("a thread that nobody has joined when its rank is released") {
  check_fails(
      [](Communicator& comm) {
        const std::thread idle([] {});
        std::array<int, 1> into{};
        comm.recv(Rank(left(comm)), into);
      },
      Kind::deadlock, "3 of 3 ranks are blocked, and nothing is on its way");
}

TEST_CASE("runs go on after one that left tasks behind") {
  install_process_handlers();
  for (int i = 0; i < 20; ++i) {
    for (const Threads threads : threads_under_test()) {
      const CheckError error = check_error_of(
          fabric_of("ring:5"), [](Communicator& comm) { const ReceivesAtEnd guard(comm, Rank(right(comm))); }, on(threads));
      CHECK(error.kind() == Kind::deadlock);
      run_on(
          fabric_of("ring:5"), [](Communicator& comm) { swap_numbers(comm, right(comm), left(comm), 1); }, on(threads));
    }
  }
}
#endif

}  // namespace heddle
