// SPDX-License-Identifier: Apache-2.0
#include "lab/work/thread_supply.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace heddle {

namespace {

/// At its end those who wait at the latch go on.
class LetGo {
 public:
  explicit LetGo(std::latch& latch) : latch_(latch) {}
  ~LetGo() { latch_.count_down(); }
  LetGo(const LetGo&) = delete;
  LetGo& operator=(const LetGo&) = delete;

 private:
  std::latch& latch_;
};

}  // namespace

int threads_to_be_had(int wanted) {
  std::latch all_asked(1);
  std::vector<std::jthread> threads;
  // Also when there is no memory for the next one: the others must end, or nobody could join them.
  const LetGo let_go(all_asked);
  threads.reserve(static_cast<std::size_t>(std::max(0, wanted)));
  try {
    while (static_cast<int>(threads.size()) < wanted) threads.emplace_back([&all_asked] { all_asked.wait(); });
  } catch (const std::system_error&) {  // there are no more
  }
  return static_cast<int>(threads.size());
}

namespace {

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace

bool are_threads_short() {
  const int wanted = 2 * cores() + 1;
  return threads_to_be_had(wanted) < wanted;
}

int workers_to_be_had(int workers) {
  if (are_threads_short()) return 1;
  const int wanted = workers == 0 ? cores() : workers;
  return std::clamp(threads_to_be_had(wanted + cores()) - cores(), 1, wanted);
}

void run_on_few_threads(const std::function<void()>& work) {
  if (!are_threads_short()) {
    work();
    return;
  }
  // A global limit of one would not do: oneTBB takes one more thread all the same.
  tbb::task_arena alone(1);
  alone.execute(work);
}

}  // namespace heddle
