// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/tasks.hpp"
#include "emu/engine/fiber_annotations.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kStackBytes = 64 * 1024;

std::unique_ptr<Tasks> make_tasks(Threads threads) {
  return threads == Threads::user ? make_user_tasks(kStackBytes) : make_kernel_tasks();
}

void run(Tasks& tasks, std::vector<TaskId> batch) { tasks.run(batch); }

}  // namespace

TEST_CASE("a task runs from block to block and to its end") {
  const auto tasks = make_tasks(each_kind_of_threads());
  std::vector<std::string> log;
  TaskId id = 0;
  id = tasks->create([&] {
    log.push_back("begins");
    tasks->block(id);
    log.push_back("goes on");
    tasks->block(id);
    log.push_back("ends");
  });
  CHECK(log.empty());
  run(*tasks, {id});
  CHECK(log == std::vector<std::string>{"begins"});
  CHECK_FALSE(tasks->has_ended(id));
  run(*tasks, {id});
  CHECK(log.back() == "goes on");
  CHECK_FALSE(tasks->has_ended(id));
  run(*tasks, {id});
  CHECK(log.back() == "ends");
  CHECK(tasks->has_ended(id));
  tasks->release(id);
}

TEST_CASE("a batch lets each of its tasks run once, and no other") {
  const auto tasks = make_tasks(each_kind_of_threads());
  constexpr std::size_t kTasks = 40;
  std::array<int, kTasks> turns{};
  std::array<TaskId, kTasks> ids{};
  for (std::size_t i = 0; i < kTasks; ++i) {
    ids[i] = tasks->create([&tasks, &ids, &turns, i] {
      for (int turn = 0; turn < 3; ++turn) {
        ++turns[i];
        tasks->block(ids[i]);
      }
    });
  }
  tasks->run(ids);
  CHECK(std::count(turns.begin(), turns.end(), 1) == kTasks);
  tasks->run(std::span(ids).first(10));
  CHECK(std::count(turns.begin(), turns.end(), 2) == 10);
  CHECK(std::accumulate(turns.begin(), turns.end(), 0) == kTasks + 10);
  tasks->run(std::span(ids).last(30));
  tasks->run(ids);
  tasks->run(ids);
  for (const TaskId id : ids) CHECK(tasks->has_ended(id));
}

TEST_CASE("the number of a task that was released serves the next") {
  const auto tasks = make_tasks(each_kind_of_threads());
  int ran = 0;
  const TaskId first = tasks->create([&ran] { ran += 1; });
  run(*tasks, {first});
  tasks->release(first);
  const TaskId second = tasks->create([&ran] { ran += 10; });
  CHECK(second == first);
  CHECK_FALSE(tasks->has_ended(second));
  run(*tasks, {second});
  CHECK(tasks->has_ended(second));
  CHECK(ran == 11);
}

TEST_CASE("what a task has on its stack outlives its blocks") {
  const auto tasks = make_tasks(each_kind_of_threads());
  constexpr std::size_t kTasks = 8;
  std::array<TaskId, kTasks> ids{};
  std::array<int, kTasks> sums{};
  for (std::size_t i = 0; i < kTasks; ++i) {
    ids[i] = tasks->create([&tasks, &ids, &sums, i] {
      const std::function<int(int)> sum = [&](int depth) {
        std::array<int, 32> numbers;
        numbers.fill(static_cast<int>(i) * 100 + depth);
        tasks->block(ids[i]);
        const int deeper = depth == 0 ? 0 : sum(depth - 1);
        return deeper + std::accumulate(numbers.begin(), numbers.end(), 0);
      };
      sums[i] = sum(9);
    });
  }
  for (int turn = 0; turn < 11; ++turn) tasks->run(ids);
  // Σ_{depth=0}^{9} 32·(100·i + depth) = 32·(1000·i + 45)
  for (std::size_t i = 0; i < kTasks; ++i) CHECK(sums[i] == 32 * (1000 * static_cast<int>(i) + 45));
}

TEST_CASE("tasks may block while they handle exceptions, in any order") {
  // Each task's handler sees its own exception after others have thrown, and left their handlers first.
  const auto tasks = make_tasks(each_kind_of_threads());
  constexpr std::size_t kTasks = 3;
  std::array<TaskId, kTasks> ids{};
  std::array<std::string, kTasks> seen;
  for (std::size_t i = 0; i < kTasks; ++i) {
    ids[i] = tasks->create([&tasks, &ids, &seen, i] {
      try {
        try {
          throw std::runtime_error(std::to_string(i));
        } catch (const std::exception&) {
          tasks->block(ids[i]);
          throw;
        }
      } catch (const std::exception& error) {
        seen[i] = error.what();
      }
    });
  }
  try {
    throw std::runtime_error("of the scheduler");
  } catch (const std::exception&) {
    tasks->run(ids);
    run(*tasks, {ids[1]});
    run(*tasks, {ids[0], ids[2]});
    CHECK_THROWS_WITH(std::rethrow_exception(std::current_exception()), "of the scheduler");
  }
  CHECK(seen == std::array<std::string, kTasks>{"0", "1", "2"});
}

TEST_CASE("kernel tasks of a batch run on threads of their own, side by side") {
  // Each waits for the other within one batch: only threads that run at once get past.
  const auto tasks = make_kernel_tasks();
  std::array<std::atomic<bool>, 2> here{};
  std::array<std::thread::id, 2> threads;
  std::vector<TaskId> ids;
  for (std::size_t i = 0; i < 2; ++i) {
    ids.push_back(tasks->create([&here, &threads, i] {
      threads[i] = std::this_thread::get_id();
      here[i] = true;
      here[i].notify_one();
      here[1 - i].wait(false);
    }));
  }
  tasks->run(ids);
  CHECK(threads[0] != threads[1]);
  CHECK(threads[0] != std::this_thread::get_id());
}

TEST_CASE("tasks that never ran can be dropped") {
  const auto tasks = make_tasks(each_kind_of_threads());
  bool ran = false;
  for (int i = 0; i < 3; ++i) tasks->create([&ran] { ran = true; });
  CHECK_FALSE(ran);
}

// ---- what a sanitizer thinks of the scheduler's stack once fibers have gone ----

namespace {

/// Throws out of so many frames that hold arrays.
[[gnu::noinline]] void throw_from_below(int frames) {
  std::array<volatile char, 64> room{};
  if (frames == 0) throw std::runtime_error("from below");
  throw_from_below(frames - 1);
  room[0] = 1;
}

/// Writes to all of an array that lies where their frames were.
[[gnu::noinline]] int fill_stack() {
  std::array<volatile char, 4096> room{};
  for (volatile char& byte : room) byte = 1;
  return room[room.size() / 2];
}

}  // namespace

TEST_CASE("tasks that were left blocked are unwound, and the scheduler's stack is its own again") {
  bool has_left = false;
  {
    struct Leaves {
      ~Leaves() { has_left = true; }
      bool& has_left;
    };
    const auto tasks = make_tasks(each_kind_of_threads());
    tasks->create([] {});
    TaskId blocked = 0;
    blocked = tasks->create([&] {
      const Leaves leaves{has_left};
      tasks->block(blocked);
    });
    run(*tasks, {blocked});
    CHECK_FALSE(has_left);
  }
  CHECK(has_left);
  // AddressSanitizer marks arrays on the stack. It forgets those that an exception skips only on a stack that it knows.
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_WITH(throw_from_below(30), "from below");
    CHECK(fill_stack() == 1);
  }
}

// ---- overflow: the process ends, so a child process tries it ----

namespace {

/// Uses `bytes` of stack at once, all of them.
[[gnu::noinline]] void use_stack(std::size_t bytes) {
  auto* const block = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = bytes; i-- > 0;) block[i] = 1;
}

struct Death {
  int signal = 0;
  std::string message;  ///< on standard error
};

/// How a process ends one of whose tasks needs `bytes` of its stack.
Death death_of(std::size_t bytes, const std::function<std::unique_ptr<Tasks>()>& make_tasks) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core_dump{0, 0};
    setrlimit(RLIMIT_CORE, &no_core_dump);
    // Catch would report the signal as the test's own.
    for (const int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);
    dup2(pipe_ends[1], STDERR_FILENO);
    install_process_handlers();
    const auto tasks = make_tasks();
    const TaskId task = tasks->create([bytes] { use_stack(bytes); }, 3);
    tasks->run(std::span(&task, 1));
    _exit(0);
  }
  close(pipe_ends[1]);
  Death death;
  std::array<char, 256> text{};
  for (ssize_t got = 0; (got = read(pipe_ends[0], text.data(), text.size())) > 0;)
    death.message.append(text.data(), static_cast<std::size_t>(got));
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  return death;
}

Death death_by_overflow(std::size_t bytes, std::optional<std::size_t> most_guards) {
  return death_of(bytes, [most_guards] { return make_user_tasks(kStackBytes, most_guards); });
}

}  // namespace

TEST_CASE("a task that runs over the end of its stack ends the process, guarded or not") {
  // AddressSanitizer sees the overflow itself, on stacks of another size; ThreadSanitizer has no user-level tasks.
  if (default_threads() == Threads::kernel || kFrameGrowth > 1) return;
  SECTION("within its stack: it goes on") {
    CHECK(death_by_overflow(kStackBytes - 4096, {}).signal == 0);
    CHECK(death_by_overflow(kStackBytes - 4096, 0).signal == 0);
  }
  const std::string says = "rank 3 ran over the end of its stack of " + std::to_string(kStackBytes) + " bytes";
  SECTION("guarded: at the first byte beyond, with its name") {
    const Death death = death_by_overflow(kStackBytes + 8192, {});
    CHECK(death.signal == SIGSEGV);
    CHECK_THAT(death.message, Catch::Contains(says));
  }
  SECTION("with a canary: at the next switch, with a word of advice") {
    const Death death = death_by_overflow(kStackBytes + 2048, 0);
    CHECK(death.signal == SIGABRT);
    CHECK_THAT(death.message, Catch::Contains(says) && Catch::Contains("--stack"));
  }
  SECTION("on a kernel thread, whose stack the process's limit says nothing of") {
    constexpr std::size_t kKernelStack = std::size_t{9} << 20;
    const auto make_tasks = [] {
      const rlimit small{std::size_t{1} << 20, RLIM_INFINITY};
      setrlimit(RLIMIT_STACK, &small);
      return make_kernel_tasks(true, kKernelStack);
    };
    CHECK(death_of(kKernelStack - 64 * 1024, make_tasks).signal == 0);
    const Death death = death_of(kKernelStack + 8192, make_tasks);
    CHECK(death.signal == SIGSEGV);
    CHECK_THAT(death.message,
               Catch::Contains("rank 3 ran over the end of its stack of " + std::to_string(kKernelStack) + " bytes"));
  }
}

TEST_CASE("a task can have something called on the thread's stack") {
  for (const bool user : {true, false}) {
    const std::unique_ptr<Tasks> tasks = user ? make_user_tasks(64 * 1024) : make_kernel_tasks();
    const auto here = [] { return reinterpret_cast<std::intptr_t>(__builtin_frame_address(0)); };
    const std::intptr_t scheduler = here();
    std::intptr_t outside = 0;
    bool is_no_task = false;
    std::string thrown;
    const std::vector<TaskId> batch = {tasks->create([&] {
      call_outside([&] {
        outside = here();
        is_no_task = running_task == nullptr || !running_task->is_on_fiber;
        call_outside([&] { outside = std::min(outside, here()); });  // already there
      });
      try {
        call_outside([] { throw std::runtime_error("from outside"); });
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      tasks->block(0);
      call_outside([&] { thrown += ", twice"; });
    })};
    tasks->run(batch);
    CHECK(thrown == "from outside");
    tasks->run(batch);
    CHECK(thrown == "from outside, twice");
    CHECK(tasks->has_ended(batch.front()));
    CHECK(is_no_task);
    if (user) CHECK(std::abs(scheduler - outside) < 1 << 20);
    tasks->release(batch.front());
  }
}

}  // namespace heddle::emu
