// SPDX-License-Identifier: Apache-2.0
#include "lab/run/tasks_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "emu/engine/parallel_for.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

constexpr auto kNever = [] { return false; };

/// What ran together, at most.
class Meter {
 public:
  BudgetedTask task(std::int64_t memory) {
    return {1, Bytes(memory), [this, memory] {
              enter(memory);
              // Other tasks must not be taken up within this one while it waits for its own parts.
              emu::parallel_for(64, [&](std::int64_t) { ++parts; });
              leave(memory);
            }};
  }
  std::int64_t most_memory = 0;
  int most_tasks = 0;
  int ended = 0;
  std::atomic<int> parts = 0;

 private:
  void enter(std::int64_t memory) {
    const std::lock_guard lock(mutex_);
    most_memory = std::max(most_memory, memory_ += memory);
    most_tasks = std::max(most_tasks, ++tasks_);
  }
  void leave(std::int64_t memory) {
    const std::lock_guard lock(mutex_);
    memory_ -= memory;
    --tasks_;
    ++ended;
  }
  std::mutex mutex_;
  std::int64_t memory_ = 0;
  int tasks_ = 0;
};

}  // namespace

TEST_CASE("tasks together stay within the budget and the workers, and all are done") {
  const int workers = GENERATE(1, 2, 5), number = GENERATE(0, 200);
  Meter meter;
  std::vector<BudgetedTask> tasks;
  for (int i = 0; i < number; ++i) tasks.push_back(meter.task(1 + i % 7));
  run_within_budget(std::move(tasks), workers, Bytes(10), kNever);
  CHECK(meter.ended == number);
  CHECK(meter.parts == number * 64);
  CHECK(meter.most_memory <= 10);
  CHECK(meter.most_tasks <= workers);
}

TEST_CASE("a task that needs more than the budget runs alone") {
  Meter meter;
  run_within_budget({meter.task(30), meter.task(20), meter.task(25)}, 3, Bytes(10), kNever);
  CHECK(meter.ended == 3);
  CHECK(meter.most_tasks == 1);
}

TEST_CASE("one worker takes the most expensive first") {
  std::vector<double> order;
  std::vector<BudgetedTask> tasks;
  for (const double cost : {3.0, 1.0, 7.0, 5.0}) tasks.push_back({cost, Bytes(1), [&order, cost] { order.push_back(cost); }});
  run_within_budget(std::move(tasks), 1, Bytes(1), kNever);
  CHECK(order == std::vector{7.0, 5.0, 3.0, 1.0});
}

TEST_CASE("when it is stopped, or a task throws, no more are started") {
  int begun = 0;
  const auto tasks = [&](auto third) {
    std::vector<BudgetedTask> all;
    for (int i = 0; i < 10; ++i)
      all.push_back({static_cast<double>(-i), Bytes(1), [&begun, third] {
                       if (++begun == 3) third();
                     }});
    return all;
  };
  run_within_budget(tasks([] {}), 1, Bytes(1), [&] { return begun == 3; });
  CHECK(begun == 3);
  begun = 0;
  CHECK_THROWS_WITH(run_within_budget(tasks([] { throw std::runtime_error("disk full"); }), 1, Bytes(1), kNever), "disk full");
  CHECK(begun == 3);
}

}  // namespace heddle
