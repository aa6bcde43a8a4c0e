// SPDX-License-Identifier: Apache-2.0
// A sweep that is spread over processes has the bytes of one process, whoever makes which run; and ends, whatever happens.
#include <atomic>
#include <chrono>
#include <new>
#include <random>
#include <string>
#include <thread>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "net/study/network_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/net/thread_transport.hpp"

namespace heddle {

namespace {

using testing::run_threads;
using testing::SendEnds;

Sweep small_sweep() {
  Sweep sweep;
  sweep.common.collective = Collective::allreduce;
  sweep.algorithms = "ring,bucket,rabenseifner";
  sweep.topologies = {"torus:2x3", "star:6"};
  sweep.sizes = {Bytes(24), Bytes(1024), Bytes(65536)};
  return sweep;
}

SweepWork usual_test_work() {
  SweepWork work;
  work.memory = Bytes(std::int64_t{1} << 30);
  work.run = run_algorithm;
  return work;
}

/// How a spread sweep is made, and what is different from a usual one.
struct Spread {
  int processes = 3;
  SendEnds ends = SendEnds::at_once;
  Sweep sweep = small_sweep();
  std::function<SweepWork(int rank)> work = [](int) { return usual_test_work(); };
  std::function<Sweep(int rank, Sweep all)> sweep_of = [](int, Sweep all) { return all; };
};

struct Ended {
  std::string json;
  SweepEnd end = {};
  std::string thrown = {};  ///< by the first rank that threw
  std::vector<std::string> serving = {};
};

Ended run_spread(const Spread& spread) {
  Ended ended;
  ended.serving.resize(static_cast<std::size_t>(spread.processes));
  ended.thrown = run_threads(
      spread.processes,
      [&](net::Transport& transport) {
        net::NetworkMessages messages(transport);
        SweepWork work = spread.work(messages.rank());
        if (messages.rank() > 0) {
          const auto plan = [&](const SweepCall& call) {
            Sweep sweep = spread.sweep_of(messages.rank(), spread.sweep);
            sweep.shard = call.shard.value_or(Shard());
            return ServedSweep{plan_sweep(sweep), work};
          };
          serve_sweep(messages, plan,
                      [&](const ServeEnd& end) { ended.serving[static_cast<std::size_t>(messages.rank())] = end.failure; });
          return;
        }
        SweepProcesses processes(messages);
        processes.begin({{"words"}, spread.sweep.shard});
        SweepPlan plan = plan_sweep(spread.sweep);
        processes.agree(plan);
        work.processes = &processes;
        run_sweep(plan, nullptr, work, nullptr, [&](const SweepEnd& end) {
          ended.end = end;
          ended.json = json_text_of(plan.document);
        });
      },
      spread.ends);
  return ended;
}

/// Of this process alone.
std::string whole_json(const Sweep& sweep, const RunFunction& function = run_algorithm) {
  SweepPlan plan = plan_sweep(sweep);
  SweepWork work = usual_test_work();
  work.run = function;
  run_sweep(plan, nullptr, work, nullptr, [](const SweepEnd&) {});
  return json_text_of(plan.document);
}

/// One that takes as long as chance has it.
RunFunction slow_at_random(unsigned seed) {
  return [seed](const Setup& setup, const Algorithm& algorithm) {
    std::minstd_rand random(seed + static_cast<unsigned>(setup.count + std::ssize(algorithm.name)));
    for (auto i = random() % 50; i > 0; --i) std::this_thread::yield();
    return run_algorithm(setup, algorithm);
  };
}

/// One in which each other run fails.
Outcome fail_of_ring(const Setup& setup, const Algorithm& algorithm) {
  Outcome outcome = run_algorithm(setup, algorithm);
  if (algorithm.name == "ring") outcome.result = Failure{CheckError::Kind::wrong_result, "planted\nin two lines"};
  return outcome;
}

}  // namespace

TEST_CASE("a spread sweep has the bytes of one process") {
  Sweep sweep = small_sweep();
  const std::string whole = whole_json(sweep);
  CHECK(whole.find("\"complete\": true") != std::string::npos);
  sweep.shard = {.index = 2, .of = 3};
  const std::string part = whole_json(sweep);
  const int repeats = testing::sample(testing::kUnderThreadSanitizer ? 1 : 3, 60);
  for (const int processes : {1, 2, 3, 7})
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Spread spread{.processes = processes, .ends = repeat % 2 == 0 ? SendEnds::at_once : SendEnds::when_received};
      spread.work = [&](int rank) {
        SweepWork work = usual_test_work();
        work.workers = 1 + (rank + repeat) % 3;
        work.memory = Bytes(repeat % 2 == 0 ? 1 : std::int64_t{1} << 30);  // each alone, or as many as there are threads
        work.run = slow_at_random(static_cast<unsigned>(1 + repeat));
        return work;
      };
      CAPTURE(processes, repeat);
      const Ended ended = run_spread(spread);
      CHECK(ended.thrown == "");
      CHECK(ended.end.failure == "");
      CHECK(ended.json == whole);
      spread.sweep.shard = {.index = 2, .of = 3};
      CHECK(run_spread(spread).json == part);
    }
}

TEST_CASE("a wrong result of another process is as one of this") {
  const std::string whole = whole_json(small_sweep(), fail_of_ring);
  CHECK(whole.find("planted") != std::string::npos);
  Spread spread;
  spread.work = [](int) {
    SweepWork work = usual_test_work();
    work.run = fail_of_ring;
    return work;
  };
  const Ended ended = run_spread(spread);
  CHECK(ended.thrown == "");
  CHECK(ended.end.failure == "");
  CHECK(ended.json == whole);
}

TEST_CASE("a run that cannot be made elsewhere ends the sweep with its rank's words") {
  std::atomic<bool> has_thrown = false;
  Spread spread;
  spread.work = [&](int rank) {
    SweepWork work = usual_test_work();
    work.run = [&, rank](const Setup& setup, const Algorithm& algorithm) {
      if (rank == 2) {
        has_thrown = true;
        throw std::bad_alloc();
      }
      while (!has_thrown) std::this_thread::yield();
      return run_algorithm(setup, algorithm);
    };
    return work;
  };
  const Ended ended = run_spread(spread);
  CHECK(ended.thrown == "");
  CHECK_THAT(ended.end.failure, Catch::StartsWith("rank 2: out of memory; a smaller --memory"));
  CHECK(ended.end.is_refused);
  CHECK_FALSE(ended.end.has_abandoned);
  CHECK(ended.json.find("\"complete\": false") != std::string::npos);
}

TEST_CASE("a process that cannot plan the sweep, or plans another, is named, and all end") {
  Spread refused;
  refused.sweep_of = [](int rank, Sweep sweep) {
    if (rank == 1) sweep.topologies = {"no_such:3"};
    return sweep;
  };
  const std::string thrown = run_spread(refused).thrown;
  CHECK_THAT(thrown, Catch::StartsWith("rank 1: "));
  CHECK_THAT(thrown, Catch::Contains("no_such"));
  Spread other;
  other.sweep_of = [](int rank, Sweep sweep) {
    if (rank == 2) sweep.sizes = {Bytes(4)};
    return sweep;
  };
  CHECK_THAT(run_spread(other).thrown, Catch::StartsWith("rank 2 has planned another sweep"));
}

TEST_CASE("rank 0 that plans nothing lets the others go") {
  const std::string thrown = run_threads(4, [](net::Transport& transport) {
    net::NetworkMessages messages(transport);
    if (messages.rank() > 0)
      return serve_sweep(
          messages,
          [](const SweepCall&) {
            return ServedSweep{plan_sweep(small_sweep()), usual_test_work()};
          },
          [](const ServeEnd&) {});
    SweepProcesses processes(messages);
    throw InputError("of rank 0");
  });
  CHECK(thrown == "of rank 0");
}

TEST_CASE("a process that dies ends the sweep, and what is finished stays") {
  std::atomic<int> made = 0;
  Ended ended;
  ended.thrown = run_threads(3, [&](net::Transport& transport) {
    net::NetworkMessages messages(transport);
    SweepWork work = usual_test_work();
    if (messages.rank() == 2) {  // takes part until it has been given a run
      const auto wait_for_text = [&] {
        while (messages.receive().empty()) std::this_thread::yield();
      };
      wait_for_text();
      messages.send(0, text_of(SweepOffer{"", plan_checksum_of(plan_sweep(small_sweep()).document), 1, Bytes(1)}));
      wait_for_text();
      while (made < 2) std::this_thread::yield();
      transport.abort("rank 2 has died");
    }
    work.run = [&](const Setup& setup, const Algorithm& algorithm) {
      Outcome outcome = run_algorithm(setup, algorithm);
      ++made;
      return outcome;
    };
    if (messages.rank() == 1)
      return serve_sweep(
          messages,
          [&](const SweepCall&) {
            return ServedSweep{plan_sweep(small_sweep()), work};
          },
          [&](const ServeEnd& end) { ended.serving = {end.failure}; });
    SweepProcesses processes(messages);
    processes.begin({{"words"}, {}});
    SweepPlan plan = plan_sweep(small_sweep());
    processes.agree(plan);
    work.processes = &processes;
    run_sweep(plan, nullptr, work, nullptr, [&](const SweepEnd& end) {
      ended.end = end;
      ended.json = json_text_of(plan.document);
    });
  });
  CHECK(ended.thrown == "rank 2 has died");  // by that rank
  CHECK(ended.end.failure == "rank 2 has died");
  CHECK_FALSE(ended.end.is_refused);
  CHECK_FALSE(ended.end.has_abandoned);
  CHECK(ended.serving == std::vector<std::string>{"rank 2 has died"});
  CHECK(ended.json.find("\"complete\": false") != std::string::npos);
}

TEST_CASE("an interrupted spread sweep begins no more and keeps what is finished") {
  std::atomic<int> made = 0;
  Spread spread;
  spread.work = [&](int) {
    SweepWork work = usual_test_work();
    work.patience = std::chrono::hours(1);
    work.interruptions = [&] { return made > 4 ? 1 : 0; };
    work.run = [&](const Setup& setup, const Algorithm& algorithm) {
      Outcome outcome = run_algorithm(setup, algorithm);
      ++made;
      return outcome;
    };
    return work;
  };
  const Ended ended = run_spread(spread);
  CHECK(ended.thrown == "");
  CHECK(ended.end.is_interrupted);
  CHECK_FALSE(ended.end.has_abandoned);
  CHECK(ended.json.find("\"complete\": false") != std::string::npos);
  CHECK(ended.json.find("\"time_s\"") != std::string::npos);
}

}  // namespace heddle
