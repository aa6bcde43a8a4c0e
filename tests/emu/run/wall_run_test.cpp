// SPDX-License-Identifier: Apache-2.0
// Runs under the wall clock: what they compute, count and complain of is what they do under the virtual one. Times are compared
// only where lateness can do nothing but add to them.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/collective.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

EmulationSettings on_wall(double dilation = 1) {
  EmulationSettings settings;
  settings.wall.emplace().dilation = dilation;
  return settings;
}

/// All that a report counts; no times.
std::vector<std::int64_t> counts(const Report& report) {
  std::vector<std::int64_t> all;
  for (const RankReport& rank : report.ranks) {
    for (const std::int64_t field : {std::int64_t{rank.rounds}, rank.messages, rank.sent.count(), rank.received.count()})
      all.push_back(field);
  }
  for (const LinkReport& link : report.links) all.push_back(link.bytes.count());
  for (const RoundReport& round : report.rounds) {
    all.push_back(round.messages);
    all.push_back(round.bytes.count());
  }
  return all;
}

CollectiveCall direct_call(Collective collective, std::int64_t count) {
  CollectiveCall call;
  call.collective = collective;
  call.function = testing::direct(collective);
  call.name = "direct";
  call.count = call.sampled = collective == Collective::barrier ? 0 : count;
  call.in_place = collective != Collective::alltoall;
  return call;
}

/// Threads or open files of this process.
std::ptrdiff_t entries(const char* directory) {
  return std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator());
}

/// The threads, once none of those that have been joined is listed any more, which takes a moment.
std::ptrdiff_t remaining_threads() {
  std::ptrdiff_t threads = entries("/proc/self/task");
  for (int unchanged = 0; unchanged < 20; ++unchanged) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::ptrdiff_t now = entries("/proc/self/task");
    if (now != threads) unchanged = 0;
    threads = now;
  }
  return threads;
}

}  // namespace

TEST_CASE("wall clock: every collective is right, and counts what it does under the virtual clock") {
  const auto credits = GENERATE(as<std::optional<int>>(), std::nullopt, 0, 1);
  const Fabric fabric = fabric_of("torus:3x2");
  const Placement placement = linear_placement(6, fabric.topology());
  for (const Collective collective : all_collectives()) {
    INFO(to_string(collective));
    const CollectiveCall call = direct_call(collective, 60);
    EmulationSettings settings;
    settings.buffering.credits = credits;
    const Report virtually = run_checked(fabric, placement, call, settings);
    settings.wall.emplace();
    const Report really = run_checked(fabric, placement, call, settings);
    CHECK(counts(really) == counts(virtually));
    CHECK(really.host.dilation == 1);
  }
}

TEST_CASE("wall clock: what comes one after the other takes at least as long as under the virtual clock") {
  FabricSettings speeds = nanosecond_speeds();
  speeds.gamma = 1e-9;
  speeds.send_overhead = 50_ns;
  speeds.recv_overhead = 30_ns;
  const auto program = [](Communicator& comm) {
    std::vector<std::int32_t> vector(100, comm.rank().value());
    line_allreduce(comm, vector, ReduceOp::sum());
    if (vector != std::vector<std::int32_t>(100, 6)) throw std::logic_error("wrong sum");
  };
  const Report virtually = run_on(fabric_of("ring:4", speeds), program);
  const Report really = run_on(fabric_of("ring:4", speeds), program, on_wall(10));
  for (std::size_t rank = 0; rank < 4; ++rank) CHECK(really.ranks[rank].completion >= virtually.ranks[rank].completion);
  CHECK(counts(really) == counts(virtually));
}

TEST_CASE("wall clock: tasks, groups and receives from any source") {
  const auto program = [](Communicator& comm) {
    const int rank = comm.rank().value(), p = comm.size();
    comm.concurrently(3, [p](int i, Communicator& task) {
      const int own = task.rank().value();
      carry(task, {{own, (own + i + 1) % p, 1'000}, {(own + p - i - 1) % p, own, 1'000}});
      task.concurrently(2, [p](int j, Communicator& inner) {
        const int at = inner.rank().value();
        carry(inner, {{at, (at + j + 1) % p, 500}, {(at + p - j - 1) % p, at, 500}});
      });
    });
    const auto column = comm.split(rank % 3, -rank);
    if (column->rank() != Rank(0)) return carry(*column, {{column->rank().value(), 0, 300}});
    std::vector<std::byte> data(300);
    for (int i = 1; i < column->size(); ++i) column->recv(kAnySource, data);
  };
  const Report virtually = run_on(fabric_of("torus:3x3"), program);
  CHECK(counts(run_on(fabric_of("torus:3x3"), program, on_wall())) == counts(virtually));
}

TEST_CASE("wall clock: groups that share ranks, and ranks in no group") {
  const Fabric fabric = fabric_of("mesh:4x2");
  const Placement placement = linear_placement(8, fabric.topology());
  const std::vector<std::vector<int>> groups = {{0, 1, 2}, {5, 2, 3}, {6, 1}};
  const CollectiveCall call = direct_call(Collective::allreduce, 30);
  const GroupsReport virtually = run_checked_groups(fabric, placement, groups, call);
  const GroupsReport really = run_checked_groups(fabric, placement, groups, call, on_wall());
  CHECK(counts(really.report) == counts(virtually.report));
  CHECK(really.completion.size() == groups.size());
}

TEST_CASE("wall clock: switches compute") {
  std::vector<std::int32_t> sums(4);
  run_on(
      fabric_of("star:4,alu,multicast"),
      [&sums](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        std::vector<std::int32_t> vector(50, static_cast<std::int32_t>(rank));
        comm.in_network()->perform(Collective::allreduce,
                                   {.input = VectorView(vector), .output = VectorView(vector), .op = &ReduceOp::sum()});
        sums[rank] = vector[49];
      },
      on_wall());
  CHECK(sums == std::vector<std::int32_t>(4, 6));
}

TEST_CASE("wall clock: a deadlock is reported") {
  const auto each_waits = [](Communicator& comm) {
    std::vector<std::byte> data(8);
    comm.recv(Rank((comm.rank().value() + 1) % comm.size()), data);
  };
  const CheckError error = check_error_of(fabric_of("ring:3"), each_waits, on_wall());
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 0") && Catch::Contains("rank 2"));
  CHECK(std::string(error.what()) == check_error_of(fabric_of("ring:3"), each_waits).what());
}

TEST_CASE("wall clock: a deadlock of some is reported though others have finished what is measured") {
  CollectiveCall call = direct_call(Collective::allreduce, 5);
  call.function = [](Communicator& comm, const CollectiveArguments&) {
    std::vector<std::byte> data(8);
    if (comm.rank() == Rank(1)) comm.recv(Rank(2), data);
  };
  const Fabric fabric = fabric_of("ring:3");
  try {
    run_checked(fabric, linear_placement(3, fabric.topology()), call, on_wall());
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::deadlock);
    CHECK_THAT(error.what(), Catch::Contains("rank 1"));
  }
}

TEST_CASE("wall clock: the first rank that throws is named, and the others are released, branches too") {
  const auto program = [](Communicator& comm) {
    std::vector<std::byte> data(8);
    if (comm.rank() == Rank(2)) throw std::runtime_error("out of yarn");
    comm.concurrently(2, [&data](int i, Communicator& task) {
      std::vector<std::byte> own(8);
      task.recv(Rank(2), i == 0 ? data : own);
    });
  };
  const CheckError error = check_error_of(fabric_of("star:5"), program, on_wall());
  CHECK(error.kind() == CheckError::Kind::rank_failed);
  CHECK_THAT(error.what(), Catch::StartsWith("rank 2 failed") && Catch::EndsWith("out of yarn"));
}

TEST_CASE("wall clock: failures of use and of hygiene") {
  const auto kind_of = [](const RankFunction& program) {
    return check_error_of(fabric_of("ring:2"), program, on_wall()).kind();
  };
  CHECK(kind_of([](Communicator& comm) {
          std::vector<std::byte> data(8);
          comm.send(Rank(7), data);
        }) == CheckError::Kind::usage);
  CHECK(kind_of([](Communicator& comm) {
          std::vector<std::byte> data(8);
          if (comm.rank() == Rank(0)) comm.send(Rank(1), data);
        }) == CheckError::Kind::hygiene);
  CHECK(kind_of([](Communicator& comm) {
          std::vector<std::byte> data(comm.rank() == Rank(0) ? 8 : 4);
          if (comm.rank() == Rank(0)) return comm.send(Rank(1), data);
          comm.recv(Rank(0), data);
        }) == CheckError::Kind::truncation);
}

TEST_CASE("wall clock: a wrong result is explained as under the virtual clock") {
  CollectiveCall call = direct_call(Collective::allreduce, 20);
  call.function = [](Communicator& comm, const CollectiveArguments& arguments) {
    testing::direct(Collective::allreduce)(comm, arguments);
    if (comm.rank() == Rank(1)) arguments.output.data()[0] ^= std::byte{1};
  };
  const Fabric fabric = fabric_of("star:3");
  const auto explanation = [&](const EmulationSettings& settings) -> std::string {
    try {
      run_checked(fabric, linear_placement(3, fabric.topology()), call, settings);
    } catch (const CheckError& error) {
      return error.what();
    }
    return "right";
  };
  CHECK(explanation(on_wall()) == explanation({}));
  CHECK(explanation({}) != "right");
}

TEST_CASE("wall clock: a run that is stopped reports what it had measured") {
  // 1 kB at 1 byte per ns, then 10 MB: at a dilation of 1000 the first has long arrived, the second takes ten seconds.
  const auto program = [](Communicator& comm) {
    carry(comm, {{0, 1, 1'000}});
    carry(comm, {{0, 1, 10'000'000}});
  };
  EmulationSettings settings = on_wall(1000);
  settings.wall->deadline_seconds = 0.5;
  try {
    run_on(fabric_of("ring:2"), program, settings);
    FAIL("the run ended by itself");
  } catch (const RunStopped& stopped) {
    CHECK(stopped.reason() == RunStopped::Reason::deadline);
    CHECK(stopped.so_far().sent_total() <= Bytes(10'001'000));
    CHECK(stopped.so_far().completion < 10_ms);
    CHECK(stopped.so_far().ranks.size() == 2);
    CHECK_THAT(stopped.what(), Catch::StartsWith("stopped by its deadline") && Catch::Contains("0 of 2 ranks"));
  }
}

TEST_CASE("wall clock: settings out of range are refused") {
  const auto idle = [](Communicator&) {};
  CHECK_THROWS_AS(run_on(fabric_of("ring:2"), idle, on_wall(0)), InputError);
  CHECK_THROWS_AS(run_on(fabric_of("ring:2"), idle, on_wall(-1)), InputError);
  EmulationSettings settings = on_wall();
  settings.wall->deadline_seconds = 0;
  CHECK_THROWS_AS(run_on(fabric_of("ring:2"), idle, settings), InputError);
}

TEST_CASE("wall clock: starts and stops leave no thread and no descriptor behind") {
  const auto once = [](int number) {
    EmulationSettings settings = on_wall();
    // Every way to end: by itself, stuck, with a rank that throws.
    run_on(
        fabric_of("ring:2"),
        [](Communicator& comm) {
          carry(comm, {{0, 1, 10}});
        },
        settings);
    if (number % 2 == 0) return;
    check_error_of(
        fabric_of("ring:2"),
        [number](Communicator& comm) {
          std::vector<std::byte> data(8);
          if (number % 4 == 1 && comm.rank() == Rank(0)) throw std::runtime_error("planted");
          comm.recv(Rank(0), data);
        },
        settings);
  };
  once(1);  // what is made once for the process
  const std::ptrdiff_t threads = remaining_threads(), files = entries("/proc/self/fd");
  for (int number = 0; number < testing::sample(40, 1000); ++number) once(number);
  CHECK(remaining_threads() == threads);
  CHECK(entries("/proc/self/fd") == files);
}

}  // namespace heddle
