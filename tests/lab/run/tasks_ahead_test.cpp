// SPDX-License-Identifier: Apache-2.0
#include "lab/run/tasks_ahead.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("tasks are waited for in their order, whoever makes them") {
  const int workers = GENERATE(1, 2, 5), number = GENERATE(0, 1, 200);
  std::vector<int> made(static_cast<std::size_t>(number), -1);
  std::vector<AheadTask> tasks;
  for (int i = 0; i < number; ++i) tasks.push_back({Bytes(1), [&made, i] { made[static_cast<std::size_t>(i)] = i; }});
  TasksAhead ahead(std::move(tasks), workers, Bytes(4));
  for (int i = 0; i < number; ++i) {
    ahead.wait_for_next();
    REQUIRE(made[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("no task is made ahead that does not fit beside those that were not waited for") {
  std::atomic<int> made = 0;
  TasksAhead ahead(std::vector<AheadTask>(50, {Bytes(5), [&] { ++made; }}), 4, Bytes(14));
  for (int waited = 0; waited < 50; ++waited) {
    REQUIRE(made <= waited + 2);  // two of 5 are 10, three 15
    ahead.wait_for_next();
    REQUIRE(made > waited);
  }
}

TEST_CASE("a task that needs more than the budget is made when it is its turn, and none beside it") {
  std::atomic<int> under_way = 0, most = 0;
  const AheadTask large{Bytes(30), [&] {
                          const int now = ++under_way;
                          if (now > most) most = now;
                          --under_way;
                        }};
  TasksAhead ahead(std::vector<AheadTask>(20, large), 4, Bytes(10));
  for (int i = 0; i < 20; ++i) ahead.wait_for_next();
  CHECK(most == 1);
}

TEST_CASE("what a task throws is thrown to who waits for it, and those behind can be waited for") {
  const int workers = GENERATE(1, 3);
  bool is_made = false;
  TasksAhead ahead(
      {{Bytes(1), [] {}}, {Bytes(1), [] { throw std::runtime_error("second"); }}, {Bytes(1), [&] { is_made = true; }}}, workers,
      Bytes(10));
  ahead.wait_for_next();
  CHECK_THROWS_WITH(ahead.wait_for_next(), "second");
  ahead.wait_for_next();
  CHECK(is_made);
}

TEST_CASE("tasks that nobody waits for are not begun, but for those that were under way") {
  std::atomic<int> made = 0;
  {
    const TasksAhead ahead(std::vector<AheadTask>(100, {Bytes(1), [&] { ++made; }}), 2, Bytes(3));
  }
  CHECK(made <= 3);
}

TEST_CASE("threads that can be made are counted, and gone afterwards") {
  CHECK(threads_to_be_had(0) == 0);
  CHECK(threads_to_be_had(-1) == 0);
  for (int i = 0; i < 3; ++i) CHECK(threads_to_be_had(5) == 5);
}

TEST_CASE("as many workers run as were asked for where the system has the threads") {
  CHECK_FALSE(are_threads_short());
  CHECK(workers_to_be_had(1) == 1);
  CHECK(workers_to_be_had(7) == 7);
  CHECK(workers_to_be_had(0) >= 1);
  int called = 0;
  run_on_few_threads([&called] { ++called; });
  CHECK(called == 1);
  CHECK_THROWS_AS(run_on_few_threads([] { throw 7; }), int);
}

}  // namespace heddle
