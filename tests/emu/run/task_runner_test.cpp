// SPDX-License-Identifier: Apache-2.0
// Tasks from their start to their end, without an engine that runs them: the test calls their functions.
#include "emu/run/task_runner.hpp"

#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

struct RunnerTest {
  RunnerTest() : fabric(fabric_of("ring:2")), placement(linear_placement(2, fabric.topology())), groups(fabric, placement) {
    world = groups.make_world();
  }

  TaskId start(int rank, MeasuredFunction body) { return runner.start(rank, world, rank, 0, std::move(body)); }

  Fabric fabric;
  Placement placement;
  GroupMaker groups;
  std::shared_ptr<const Group> world;
  ManualEngine engine;
  RunState run{engine, RankCosts(fabric.settings(), 1, false), 2};
  TaskRunner runner{run, false, [](TaskId) {}};
  CommunicatorCalls communicators{run, groups, runner};
};

}  // namespace

TEST_CASE("task runner: a task's function gets a communicator of its group") {
  RunnerTest test;
  std::vector<int> seen;
  test.start(1, [&seen](MeasuredCommunicator& communicator) { seen = {communicator.rank().value(), communicator.size()}; });
  CHECK(seen.empty());
  test.engine.bodies.front()();
  CHECK(seen == std::vector<int>{1, 2});
}

TEST_CASE("task runner: what a function throws is kept for the engine's thread") {
  RunnerTest test;
  const TaskId id = test.start(0, [](MeasuredCommunicator&) { throw std::runtime_error("moths"); });
  test.engine.bodies.front()();
  CHECK(test.run.tasks[id].has_failed);
  CHECK_THROWS_WITH(std::rethrow_exception(test.run.tasks[id].failure), "moths");
  CHECK(test.run.failure.is_near());
  CHECK_FALSE(test.run.failure.has_failed());
}

TEST_CASE("task runner: once the run is given up, tasks that wait are released and others do not begin") {
  RunnerTest test;
  bool has_begun = false;
  test.start(0, [&has_begun](MeasuredCommunicator&) { has_begun = true; });
  test.runner.release_all();
  test.engine.bodies.front()();
  CHECK_FALSE(has_begun);
  CHECK_THROWS_AS(test.runner.block(0, TaskState::Blocked::requests), Host::Released);
}

TEST_CASE("task runner: who waits for branches goes on when the last has ended, after the longest chain") {
  RunnerTest test;
  const TaskId parent = test.start(0, [](MeasuredCommunicator&) {});
  const std::function<void(int, MeasuredCommunicator&)> body = [](int, MeasuredCommunicator&) {};
  test.communicators.take(parent, PendingBranches{2, MessageSpace::own, &body, test.world, 0, 0, 0, 0});
  CHECK(test.run.tasks.peak() == 2);
  for (const TaskId child : {TaskId{1}, TaskId{2}}) {
    CHECK(test.run.tasks[child].parent == parent);
    CHECK(test.run.tasks[child].context == child);
    test.run.tasks[child].round = child == 1 ? 5 : 3;
    CHECK(test.engine.woken.empty());
    test.run.tasks.end(child);
    test.runner.end(child);
  }
  CHECK(test.engine.woken == std::vector<TaskId>{parent});
  CHECK(test.run.tasks[parent].round == 5);
}

TEST_CASE("communicator calls: ranks that ask for different numbers of branches fail the run") {
  RunnerTest test;
  const TaskId first = test.start(0, [](MeasuredCommunicator&) {});
  const TaskId second = test.start(1, [](MeasuredCommunicator&) {});
  const std::function<void(int, MeasuredCommunicator&)> body = [](int, MeasuredCommunicator&) {};
  test.communicators.take(first, PendingBranches{2, MessageSpace::own, &body, test.world, 0, 0, 0, 0});
  test.communicators.take(second, PendingBranches{3, MessageSpace::own, &body, test.world, 1, 0, 0, 0});
  CHECK_THROWS_WITH(test.run.failure.rethrow(), "rank 1 called concurrently(3, …) where rank 0 called concurrently(2, …)");
}

TEST_CASE("communicator calls: all ranks of a split go on with the last, each in its part") {
  RunnerTest test;
  const TaskId first = test.start(0, [](MeasuredCommunicator&) {});
  const TaskId second = test.start(1, [](MeasuredCommunicator&) {});
  test.communicators.take(second, SplitCall{test.world, 1, 0, 0, 7, 0});
  CHECK(test.engine.woken.empty());
  CHECK(test.communicators.splits().under_way().size() == 1);
  test.run.tasks[first].path.parts.waiting = 3_us;
  test.communicators.take(first, SplitCall{test.world, 0, 0, 0, 7, 1});
  CHECK(test.engine.woken == std::vector<TaskId>{second, first});
  CHECK(test.run.tasks[second].path.parts.waiting == 3_us);
  CHECK(test.run.tasks[first].split_group->members == std::vector<int>{1, 0});
  CHECK(test.run.tasks[first].split_rank == 1);
  CHECK(test.run.tasks[second].split_rank == 0);
  CHECK(test.run.tasks[first].split_context == test.run.tasks[second].split_context);
}

}  // namespace heddle::emu
