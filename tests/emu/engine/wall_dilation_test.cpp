// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/wall_dilation.hpp"

#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

TEST_CASE("dilation: k = s·((n + 1)·lateness + computing / 2) / (error·T)") {
  using namespace literals;
  Report report;
  report.completion = 10_us;
  report.critical_path.messages = 4;
  report.host.wall_seconds = 0.001;
  // (5·0.1 ms + 0.5 ms) / (0.02·10 us)
  CHECK(choose_dilation(report, 1e-4, 0.02, 1).factor == Approx(5'000));
  CHECK(choose_dilation(report, 1e-4, 0.02, 1).expected_error == Approx(0.02));
  CHECK(choose_dilation(report, 1e-4, 0.04, 1).factor == Approx(2'500));
  report.ranks.resize(8);
  report.peak_tasks = 8;
  CHECK(choose_dilation(report, 1e-4, 0.02, 1).factor == Approx(5'000));
  report.peak_tasks = 25;  // four on one of the ranks
  CHECK(choose_dilation(report, 1e-4, 0.02, 1).factor == Approx(20'000));
  CHECK(choose_dilation(report, 1e-4, 1e6, 1).factor == 1);  // no clock runs faster than the wall's
  report.completion = Time();
  CHECK(choose_dilation(report, 1e-4, 0.02, 1).factor == 1);
}

TEST_CASE("dilation: no run is stretched beyond the longest, and what that costs is known") {
  using namespace literals;
  Report report;
  report.completion = 10_us;
  report.critical_path.messages = 4;
  report.host.wall_seconds = 0.001;
  const Dilation chosen = choose_dilation(report, 1e-4, 0.02, 0.01);  // 50 ms would be right
  CHECK(chosen.factor == Approx(1'000));
  CHECK(chosen.expected_error == Approx(0.1));
}

TEST_CASE("tasks: branches count, and ranks that wait for theirs do not") {
  const auto peak = [](const RankFunction& function) { return run_on(fabric_of("ring:3"), function).peak_tasks; };
  CHECK(peak([](Communicator&) {}) == 3);
  CHECK(peak([](Communicator& comm) {
          for (int i = 0; i < 2; ++i) comm.concurrently(4, [](int, Communicator&) {});
        }) == 12);
  CHECK(peak([](Communicator& comm) {
          comm.concurrently(
              2, [](int branch, Communicator& task) { task.concurrently(branch == 0 ? 3 : 1, [](int, Communicator&) {}); });
        }) == 12);
}

TEST_CASE("dilation: lateness can be measured with one rank and with more than there are processors") {
  CHECK(measure_lateness(1) > 0);
  CHECK(measure_lateness(16) > 0);
}

TEST_CASE("wall clock: the parts of the critical path add up, what ranks really do is local work") {
  using namespace literals;
  EmulationSettings settings;
  settings.wall.emplace().dilation = 10;
  // Each rank has a message of its own to wait for; but the machine may hold one up until its message has gone. Not every time.
  Time startup;
  for (int tries = 0; tries < 50 && startup < 1_us; ++tries) {
    const Report report = run_on(
        fabric_of("ring:3"),
        [](Communicator& comm) {
          for (int i = 0; i < 3; ++i) carry(comm, {{i, (i + 1) % 3, 1'000}});
        },
        settings);
    const PathParts& parts = report.critical_path.parts;
    REQUIRE(parts.total() == report.completion);
    REQUIRE(parts.local_work > Time());
    startup = parts.startup;
  }
  CHECK(startup >= 1_us);
}

}  // namespace heddle
