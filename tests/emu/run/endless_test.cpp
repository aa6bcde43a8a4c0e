// SPDX-License-Identifier: Apache-2.0
// Runs in which messages are exchanged for ever while emulated time stands still.
#include <array>
#include <atomic>

#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

TEST_CASE("ranks that exchange messages for ever at one instant are named") {
  const auto exchange = [](Communicator& comm) {
    std::array<int, 1> sent = {};
    std::array<int, 1> received = {};
    while (comm.rank().value() < 2) comm.sendrecv(comm.rank(), ConstVectorView(sent), comm.rank(), VectorView(received));
  };
  EmulationSettings settings;
  settings.most_slices_at_once = 1000;
  const CheckError error = check_error_of(fabric_of("star:3"), exchange, settings);
  CHECK(error.kind() == CheckError::Kind::endless);
  CHECK(std::string(error.what()) == "ranks 0-1 go on for ever: messages are exchanged, and at 0ps emulated time has stopped");
}

TEST_CASE(
    "a run that is asked to stop does, within an instant, between two and where ranks never wait, and the next one is whole") {
  const auto endless = [](Communicator& comm) {
    std::array<int, 1> sent = {}, received = {};
    while (true) comm.sendrecv(comm.rank(), ConstVectorView(sent), comm.rank(), VectorView(received));
  };
  const auto rounds = [](Communicator& comm) {
    std::array<int, 1> sent = {}, received = {};
    const Rank other(1 - comm.rank().value());
    for (int i = 0; i < 2000; ++i) comm.sendrecv(other, ConstVectorView(sent), other, VectorView(received));
  };
  const auto never_waiting = [](Communicator& comm) {
    std::array<int, 1> from = {}, to = {};
    while (true) comm.copy(VectorView(to), ConstVectorView(from));
  };
  for (const Threads threads : threads_under_test()) {
    EmulationSettings settings = on(threads);
    for (const RankFunction& function : {RankFunction(endless), RankFunction(rounds), RankFunction(never_waiting)}) {
      std::atomic<int> turns = 0;
      settings.interrupted = [&turns] { return ++turns > 500; };
      try {
        run_on(fabric_of("ring:2"), function, settings);
        FAIL("the run ended by itself");
      } catch (const RunStopped& stopped) {
        CHECK(stopped.reason() == RunStopped::Reason::interrupted);
        CHECK(stopped.so_far().ranks.size() == 2);
        CHECK_THAT(stopped.what(), Catch::StartsWith("interrupted after") && Catch::Contains("0 of 2 ranks"));
      }
    }
    settings.interrupted = [] { return false; };
    CHECK_NOTHROW(run_on(fabric_of("ring:2"), rounds, settings));
  }
}

TEST_CASE("turns count at one instant only") {
  if (testing::kUnderThreadSanitizer || testing::kUnderAddressSanitizer) return;  // long, for a count alone
  const auto exchange = [](Communicator& comm) {
    std::array<int, 1> sent = {};
    std::array<int, 1> received = {};
    for (int i = 0; i < 400'000; ++i)
      comm.sendrecv(Rank(1 - comm.rank().value()), ConstVectorView(sent), Rank(1 - comm.rank().value()), VectorView(received));
  };
  EmulationSettings settings;
  settings.most_slices_at_once = 1;
  CHECK_NOTHROW(run_on(fabric_of("ring:2"), exchange, settings));
}

}  // namespace heddle
