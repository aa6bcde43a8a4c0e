// SPDX-License-Identifier: Apache-2.0
// The wall clock as an engine: what happens and in which order. Nothing here depends on how fast the machine is.
#include "emu/engine/make_engine.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/engine/bell.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

/// Does nothing but what a test wants on each occasion.
class WallClient final : public EngineClient {
 public:
  void take_pending(TaskId task) override {
    if (on_pending) on_pending(task);
  }
  bool end_timestamp() override { return false; }

  std::function<void(TaskId)> on_pending;
};

}  // namespace

TEST_CASE("wall clock: events happen at the times that they were set for, in order, however late they are") {
  const auto clock = make_wall_clock({.dilation = 1000});
  WallClient client;
  Bell bell(*clock);
  TaskId task = 0;
  bell.on_ring = [&](std::uint64_t payload) {
    if (payload == 3) clock->wake(task);
    if (payload == 1) clock->at(clock->now(), bell, 9);
  };
  task = clock->start(0, [&] { clock->block(task); });
  clock->at(3_us, bell, 3);
  for (const std::uint64_t payload : {1U, 2U}) clock->at(1_us, bell, payload);
  CHECK(clock->run(client) == Engine::Outcome::finished);
  CHECK(bell.rung == Rung{{1_us, 1}, {1_us, 2}, {1_us, 9}, {3_us, 3}});
}

TEST_CASE("wall clock: a task goes on when it is woken, not earlier") {
  const auto clock = make_wall_clock({.dilation = 100});
  WallClient client;
  Bell bell(*clock);
  Time woken;
  TaskId task = 0;
  bell.on_ring = [&](std::uint64_t) { clock->wake(task); };
  task = clock->start(0, [&] {
    clock->block(task);
    woken = clock->now();
  });
  clock->at(10_us, bell, 0);
  CHECK(clock->run(client) == Engine::Outcome::finished);
  CHECK(woken >= 10_us);
  CHECK_FALSE(clock->stopped_by());
}

TEST_CASE("wall clock: an event does not wait for tasks that compute") {
  const auto clock = make_wall_clock({.dilation = 1});
  WallClient client;
  Bell bell(*clock);
  std::atomic<bool> has_rung = false;
  bell.on_ring = [&](std::uint64_t) { has_rung = true; };
  TaskId task = 0;
  task = clock->start(0, [&] {
    clock->leave();
    while (!has_rung) std::this_thread::yield();  // were the event to wait for it, for ever
    clock->enter(task);
  });
  clock->at(1_us, bell, 0);
  CHECK(clock->run(client) == Engine::Outcome::finished);
}

TEST_CASE("wall clock: tasks that nothing will wake are stuck, and drain lets them leave, branches before their ranks") {
  const auto clock = make_wall_clock({});
  WallClient client;
  std::vector<int> left;
  std::vector<TaskId> tasks(3);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i] = clock->start(i, [&, i] {
      clock->block(tasks[i]);
      left.push_back(static_cast<int>(i));
    });
  }
  CHECK(clock->run(client) == Engine::Outcome::stuck);
  CHECK(left.empty());
  clock->drain();
  CHECK(left == std::vector{2, 1, 0});
}

TEST_CASE("wall clock: what an effect throws ends the run") {
  const auto clock = make_wall_clock({});
  WallClient client;
  client.on_pending = [](TaskId) { throw std::runtime_error("no more"); };
  clock->start(0, [] {});
  CHECK_THROWS_WITH(clock->run(client), "no more");
  clock->drain();
}

TEST_CASE("wall clock: a meeting ends when everyone is blocked, and later ones do not wait for what is to come") {
  const auto clock = make_wall_clock({.dilation = 1e6, .waits_for_starting_line = true});
  WallClient client;
  Bell bell(*clock);
  std::vector<Time> times;
  std::vector<TaskId> tasks(2);
  bell.on_ring = [&](std::uint64_t payload) { clock->wake(tasks[payload]); };
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i] = clock->start(i, [&, i] {
      clock->barrier(tasks[i]);
      if (i == 0) times.push_back(clock->now());
      clock->barrier(tasks[i]);
      clock->at(clock->now() + 1'000'000_us, bell, i);  // eleven days of wall time
      clock->block(tasks[i]);
    });
  }
  CHECK(clock->run(client) == Engine::Outcome::finished);
  CHECK(times == std::vector{Time()});
  CHECK(clock->now() >= 1'000'000_us);
}

TEST_CASE("wall clock: a deadline and an interruption stop a run that would go on") {
  WallClockSettings settings{.dilation = 1e6};
  std::function<bool()> interrupted;
  RunStopped::Reason expected{};
  SECTION("deadline") {
    settings.deadline_seconds = 0.01;
    expected = RunStopped::Reason::deadline;
  }
  SECTION("interruption") {
    interrupted = [] { return true; };
    expected = RunStopped::Reason::interrupted;
  }
  const auto clock = make_wall_clock(settings, interrupted);
  WallClient client;
  Bell bell(*clock);
  TaskId task = 0;
  task = clock->start(0, [&] { clock->block(task); });
  clock->at(1'000'000_us, bell, 0);
  CHECK(clock->run(client) == Engine::Outcome::stopped);
  CHECK(clock->stopped_by() == expected);
  CHECK(bell.rung.empty());
  clock->drain();
}

}  // namespace heddle::emu
