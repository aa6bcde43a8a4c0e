// SPDX-License-Identifier: Apache-2.0
// The virtual clock: when things happen, and in which order within a timestamp.
#include "emu/engine/engine.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/engine/bell.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

std::unique_ptr<Engine> make_clock(Threads threads, std::optional<std::uint64_t> seed = {}) {
  return make_virtual_clock(threads == Threads::user ? make_user_tasks(64 * 1024) : make_kernel_tasks(), seed);
}

/// Notes what the engine calls, and does what the test wants on each occasion.
class Client final : public EngineClient {
 public:
  explicit Client(Engine& engine) : engine_(engine) {}

  void take_pending(TaskId task) override {
    effects.push_back(task);
    if (on_pending) on_pending(task);
  }
  bool may_run_ahead() const override { return runs_ahead; }
  bool end_timestamp() override {
    ended.push_back(engine_.now());
    if (on_end) on_end();
    return unfinished > 0 && unfinished-- > 0;
  }

  bool runs_ahead = false;
  std::vector<TaskId> effects;
  std::vector<Time> ended;
  std::function<void(TaskId)> on_pending;
  std::function<void()> on_end;
  int unfinished = 0;  ///< so many more times it must be asked at one timestamp

 private:
  Engine& engine_;
};

}  // namespace

TEST_CASE("an instant goes on until its client has finished it") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  const TaskId task = engine->start(1, [&] { engine->block(0); });
  client.unfinished = 3;
  client.on_end = [&] {
    if (client.unfinished == 1) engine->wake(task);
  };
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(client.ended.size() >= 3);
  CHECK(engine->now() == Time());
}

TEST_CASE("effects of one instant are taken in the order that the tasks were given, not in that of their start") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  const TaskId third = engine->start(30, [] {});
  const TaskId first = engine->start(10, [] {});
  const TaskId second = engine->start(20, [] {});
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(client.effects == std::vector{first, second, third});
  CHECK(engine->now() == Time());
}

TEST_CASE("time jumps from event to event") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  engine->at(30_ns, bell, 3);
  engine->at(10_ns, bell, 1);
  engine->at(20_ns, bell, 2);
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(bell.rung == Rung{{10_ns, 1}, {20_ns, 2}, {30_ns, 3}});
  CHECK(engine->now() == 30_ns);
}

TEST_CASE("alarms of one instant ring in the order of the calls, those set meanwhile after them") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  for (const std::uint64_t payload : {5U, 1U, 4U}) engine->at(7_ns, bell, payload);
  bell.on_ring = [&](std::uint64_t payload) {
    if (payload == 5) engine->at(engine->now(), bell, 9);
  };
  engine->run(client);
  CHECK(bell.rung == Rung{{7_ns, 5}, {7_ns, 1}, {7_ns, 4}, {7_ns, 9}});
}

namespace {

/// Operations of tasks 0, 1, … (by order), each of which blocks `blocks` times and is woken by its own operation.
std::vector<TaskId> operations_of_wakeful_tasks(Engine& engine, Client& client, int tasks, int blocks) {
  std::vector<TaskId> ids(static_cast<std::size_t>(tasks));
  std::vector<int> left(ids.size(), blocks);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = engine.start(i, [&engine, &ids, i, blocks] {
      for (int b = 0; b < blocks; ++b) engine.block(ids[i]);
    });
  }
  client.on_pending = [&](TaskId id) {
    const auto i = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    if (left[i]-- > 0) engine.wake(id);
  };
  CHECK(engine.run(client) == Engine::Outcome::finished);
  std::vector<TaskId> effects;
  for (const TaskId id : client.effects)
    effects.push_back(static_cast<TaskId>(std::find(ids.begin(), ids.end(), id) - ids.begin()));
  return effects;
}

}  // namespace

TEST_CASE("tasks that their own effects wake take turns; on user threads they go on at once where order does not matter") {
  const Threads threads = each_kind_of_threads();
  const auto engine = make_clock(threads);
  Client client(*engine);
  client.runs_ahead = GENERATE(false, true);
  const std::vector<TaskId> effects = operations_of_wakeful_tasks(*engine, client, 2, 2);
  if (client.runs_ahead && threads == Threads::user)
    CHECK(effects == std::vector<TaskId>{0, 0, 0, 1, 1, 1});
  else
    CHECK(effects == std::vector<TaskId>{0, 1, 0, 1, 0, 1});
}

TEST_CASE("a task that runs ahead gives the others their turns in time, the first and the last going first alternately") {
  if (default_threads() == Threads::kernel) return;
  const auto engine = make_clock(Threads::user);
  Client client(*engine);
  client.runs_ahead = true;
  const std::vector<TaskId> effects = operations_of_wakeful_tasks(*engine, client, 2, 39);
  std::vector<std::pair<TaskId, int>> runs;
  for (const TaskId task : effects) {
    if (runs.empty() || runs.back().first != task) runs.emplace_back(task, 0);
    ++runs.back().second;
  }
  CHECK(runs == std::vector<std::pair<TaskId, int>>{{0, 32}, {1, 40}, {0, 8}});
}

TEST_CASE("a task that blocks goes on when it is woken, and sees the time of that") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  Time woken;
  TaskId task = 0;
  task = engine->start(0, [&] {
    engine->block(task);
    woken = engine->now();
  });
  engine->at(42_ns, bell, 0);
  bell.on_ring = [&](std::uint64_t) { engine->wake(task); };
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(woken == 42_ns);
  CHECK(client.effects == std::vector{task, task});
}

TEST_CASE("an instant ends once, after all that it brings") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  TaskId task = 0;
  task = engine->start(0, [&] { engine->block(task); });
  engine->at(10_ns, bell, 1);
  engine->at(10_ns, bell, 2);
  engine->at(20_ns, bell, 3);
  bell.on_ring = [&](std::uint64_t payload) {
    if (payload == 1) engine->wake(task);
  };
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(client.ended == std::vector<Time>{Time(), 10_ns, 20_ns});
}

TEST_CASE("what the end of an instant brings belongs to the same instant, which then ends again") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  TaskId task = 0;
  task = engine->start(0, [&] { engine->block(task); });
  client.on_end = [&] {
    if (client.ended.size() == 1) engine->at(engine->now(), bell, 1);
    if (client.ended.size() == 2) engine->wake(task);
  };
  CHECK(engine->run(client) == Engine::Outcome::finished);
  CHECK(bell.rung == Rung{{Time(), 1}});
  CHECK(client.ended == std::vector<Time>(3));
}

TEST_CASE("tasks that nothing will wake are stuck, and drain lets them leave") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  std::vector<int> left;
  std::vector<TaskId> tasks(3);
  bool ended = false;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i] = engine->start(i, [&, i] {
      engine->block(tasks[i]);
      left.push_back(static_cast<int>(i));
    });
  }
  engine->start(7, [&ended] { ended = true; });
  CHECK(engine->run(client) == Engine::Outcome::stuck);
  CHECK(ended);
  CHECK(left.empty());
  engine->drain();
  CHECK(left == std::vector{2, 1, 0});  // branches before their ranks
}

TEST_CASE("stop ends a run before anything else happens") {
  const auto engine = make_clock(each_kind_of_threads());
  Client client(*engine);
  Bell bell(*engine);
  SECTION("from an effect") {
    for (std::uint64_t order = 0; order < 3; ++order) engine->start(order, [] {});
    client.on_pending = [&](TaskId) { engine->stop(); };
    CHECK(engine->run(client) == Engine::Outcome::stopped);
    CHECK(client.effects.size() == 1);
  }
  SECTION("from an alarm") {
    for (int i = 0; i < 3; ++i) engine->at(5_ns, bell, 0);
    bell.on_ring = [&](std::uint64_t) { engine->stop(); };
    CHECK(engine->run(client) == Engine::Outcome::stopped);
    CHECK(bell.rung.size() == 1);
  }
  engine->drain();
}

namespace {

/// The orders of tasks 0 … 5, each of which acts at three timestamps.
std::vector<TaskId> effects(Threads threads, std::optional<std::uint64_t> seed) {
  const auto engine = make_clock(threads, seed);
  Client client(*engine);
  Bell bell(*engine);
  std::vector<TaskId> tasks(6);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i] = engine->start(i, [&engine, &tasks, i] {
      engine->block(tasks[i]);
      engine->block(tasks[i]);
    });
  }
  engine->at(1_ns, bell, 0);
  engine->at(2_ns, bell, 0);
  bell.on_ring = [&](std::uint64_t) {
    for (const TaskId task : tasks) engine->wake(task);
  };
  engine->run(client);
  return client.effects;
}

}  // namespace

TEST_CASE("an order seed permutes the effects of each instant, the same way each time") {
  const Threads threads = each_kind_of_threads();
  std::set<std::vector<TaskId>> orders;
  std::set<std::vector<TaskId>> within_one_run;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<TaskId> order = effects(threads, seed);
    REQUIRE(order.size() == 18);
    REQUIRE(order == effects(threads, seed));
    orders.insert(order);
    for (auto timestamp = order.begin(); timestamp != order.end(); timestamp += 6) {
      std::vector<TaskId> tasks(timestamp, timestamp + 6);
      within_one_run.insert(tasks);
      std::sort(tasks.begin(), tasks.end());
      REQUIRE(tasks == std::vector<TaskId>{0, 1, 2, 3, 4, 5});
    }
  }
  CHECK(orders.size() == 10);
  CHECK(within_one_run.size() > 20);
}

TEST_CASE("an order seed does the same on user-level and kernel threads") {
  std::set<std::vector<TaskId>> orders;
  for (const Threads threads : threads_under_test()) orders.insert(effects(threads, 7));
  CHECK(orders.size() == 1);
}

}  // namespace heddle::emu
