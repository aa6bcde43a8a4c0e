// SPDX-License-Identifier: Apache-2.0
#include "emu/memory/in_memory_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace heddle::emu {

namespace {

/// Before it sleeps, a task gives way to the others so many times: a hand-over between threads that sleep takes longer.
constexpr int kYields = 50;

}  // namespace

InMemoryRuntime::InMemoryRuntime(const Fabric& fabric, const Placement& placement, bool can_buffer)
    : ranks_(placement.size()),
      can_buffer_(can_buffer),
      group_maker_(fabric, placement),
      world_(group_maker_.make_world()),
      mailboxes_(placement.size()),
      tasks_made_(placement.size()) {}

void InMemoryRuntime::run(const MeasuredFunction& function) {
  const int ranks = static_cast<int>(ranks_);
  std::vector<std::pair<Task*, std::thread>> threads;
  threads.reserve(ranks_);
  {
    const std::lock_guard lock(mutex_);
    live_ = ranks_;  // nobody is asleep alone while others are still to come
  }
  try {
    for (int rank = 0; rank < ranks; ++rank) {
      Task& task = new_task(rank, nullptr);
      const auto body = [this, &task, &function, rank] {
        InMemoryCommunicator communicator(*this, task, world_, rank, 0);
        function(communicator);
      };
      threads.emplace_back(&task, thread_of(task, body, [this] { ended(); }));
    }
  } catch (...) {
    fail(std::current_exception());
  }
  for (auto& [task, thread] : threads) join(*task, thread);
  if (!misuse_.empty()) throw CheckError(CheckError::Kind::usage, misuse_);
  if (!failure_) check_all_received();
  if (failure_) std::rethrow_exception(failure_);
}

// ---- tasks ----

InMemoryRuntime::Task& InMemoryRuntime::new_task(int rank, const Task* parent) {
  const std::lock_guard lock(mutex_);
  Task& task = tasks_.emplace_back();
  task.rank = rank;
  task.number = tasks_made_[static_cast<std::size_t>(rank)]++;
  task.id = static_cast<std::uint32_t>(tasks_.size() - 1);
  task.identity = {rank, task.number, parent == nullptr ? nullptr : &parent->identity, this, task.id};
  return task;
}

void InMemoryRuntime::run_task(Task& task, const std::function<void()>& body) {
  const CallingTaskScope self(&task.identity);
  try {
    body();
  } catch (const Released&) {
    return;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    withdraw_sends(task);
    if (is_refusal(failure)) return fail(failure);
    return fail(kind_of(failure), failed_text(task.rank, failure, ""));
  }
  const std::string left = left_requests(task);
  if (left.empty()) return;
  withdraw_sends(task);
  fail(CheckError::Kind::hygiene, left);
}

std::string InMemoryRuntime::left_requests(const Task& task) {
  const auto left = task.slots.size() - task.free_slots.size();
  if (left == 0) return "";
  const auto first = std::find_if(task.slots.begin(), task.slots.end(),
                                  [](const Slot& slot) { return slot.send != nullptr || slot.receive != nullptr; });
  return fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", task.rank, left, first->text());
}

std::thread InMemoryRuntime::thread_of(Task& task, std::function<void()> body, std::function<void()> end) {
  task.end = std::move(end);
  try {
    return std::thread([this, &task, body = std::move(body)] {
      run_task(task, body);
      task.end();
      task.gone.release();
    });
  } catch (const std::system_error& error) {
    throw ResourceError(fmt::format("the system has no more kernel threads than {} for ranks and their tasks ({})", task.id,
                                    error.code().message()));
  }
}

void InMemoryRuntime::join(Task& task, std::thread& thread) {
  task.gone.acquire();
  if (task.left_behind)
    thread.detach();
  else
    thread.join();
}

void InMemoryRuntime::leave_behind(std::uint32_t id) {
  if (!is_over_) return;
  calling_task = nullptr;
  std::unique_lock lock(mutex_);
  Task& task = tasks_[id];
  lock.unlock();
  withdraw_sends(task);
  task.left_behind = true;
  task.end();
  task.gone.release();
  sleep_for_ever();
}

void InMemoryRuntime::ended() {
  const std::lock_guard lock(mutex_);
  --live_;
  if (live_ > 0 && asleep_ == live_) all_asleep();
}

void InMemoryRuntime::concurrently(Task& task, int n, const std::function<void(int, Task&)>& body) {
  std::vector<std::pair<Task*, std::thread>> threads;
  threads.reserve(static_cast<std::size_t>(n));
  {
    const std::lock_guard lock(mutex_);
    task.children_left = n;
    live_ += static_cast<std::size_t>(n);
  }
  const auto end_child = [this, &task] {
    {
      const std::lock_guard lock(mutex_);
      --task.children_left;
      wake(task);
    }
    ended();
  };
  int started = 0;
  try {
    for (; started < n; ++started) {
      Task& child = new_task(task.rank, &task);
      threads.emplace_back(&child, thread_of(
                                       child, [&child, &body, number = started] { body(number, child); }, end_child));
    }
  } catch (...) {
    fail(std::current_exception());
    for (int missing = started; missing < n; ++missing) end_child();
  }
  {
    std::unique_lock lock(mutex_);
    while (task.children_left > 0) fall_asleep(task, lock);
  }
  for (auto& [child, thread] : threads) join(*child, thread);
  goes_on(task);
}

// ---- sleeping ----

bool InMemoryRuntime::goes_on(Task& task) {
  if (!is_over_) return true;
  withdraw_sends(task);
  if (std::uncaught_exceptions() == 0) throw Released{};
  return false;
}

void InMemoryRuntime::signal(Task& task) {
  task.signals.fetch_add(1);
  if (!task.may_sleep) return;
  const std::lock_guard lock(mutex_);
  wake(task);
}

void InMemoryRuntime::wake(Task& task) {
  if (!task.is_asleep) return;
  task.is_asleep = false;
  --asleep_;
  task.woken.notify_one();
}

void InMemoryRuntime::fall_asleep(Task& task, std::unique_lock<std::mutex>& lock) {
  task.is_asleep = true;
  ++asleep_;
  if (asleep_ == live_) all_asleep();
  task.woken.wait(lock, [&task] { return !task.is_asleep; });
}

void InMemoryRuntime::sleep(Task& task, std::uint32_t seen) {
  for (int i = 0; i < kYields; ++i) {
    if (task.signals != seen) return;
    std::this_thread::yield();
  }
  goes_on(task);
  {
    std::unique_lock lock(mutex_);
    task.may_sleep = true;
    if (task.signals == seen && !is_over_) fall_asleep(task, lock);
    task.may_sleep = false;
  }
  goes_on(task);
}

/// Nobody is left to signal anybody.
void InMemoryRuntime::all_asleep() {
  if (is_over_) {
    for (Task& task : tasks_) {
      if (task.children_left == 0) wake(task);
    }
    return;
  }
  bool has_woken = false;
  if (can_buffer_) {
    for (Task& task : tasks_) has_woken |= keep_sends(task);
  }
  if (has_woken) return;
  for (Task& task : tasks_) {
    if (!task.is_delayed) continue;
    task.is_delayed = false;
    wake(task);
    has_woken = true;
  }
  if (!has_woken) fail_now(std::make_exception_ptr(CheckError(explain_deadlock())));
}

bool InMemoryRuntime::keep_sends(Task& task) {
  if (!task.is_asleep) return false;
  bool has_kept = false;
  for (const Slot& slot : task.slots) {
    if (!slot.is_awaited || !slot.send || !slot.is_pending() || slot.send->must_meet) continue;
    slot.send->kept.assign(slot.send->from.span());
    slot.send->is_kept = true;
    has_kept = true;
  }
  if (has_kept) {
    ++task.signals;
    wake(task);
  }
  return has_kept;
}

void InMemoryRuntime::delay(Task& task) {
  {
    std::unique_lock lock(mutex_);
    task.is_delayed = true;
    while (task.is_delayed && !is_over_) fall_asleep(task, lock);
  }
  goes_on(task);
}

void InMemoryRuntime::barrier(Task& task) {
  {
    std::unique_lock lock(mutex_);
    if (++met_ == ranks_) {
      met_ = 0;
      ++meetings_;
      for (Task& other : tasks_) wake(other);
    } else {
      const std::uint64_t before = meetings_;
      while (meetings_ == before && !is_over_) fall_asleep(task, lock);
    }
  }
  goes_on(task);
}

// What goes wrong between ranks that share their memory, in words.

std::string InMemoryRuntime::Send::text() const { return message_text(count, type, source, dest, key.tag); }

Envelope InMemoryRuntime::Send::envelope() const { return {source, dest, key.context, key.tag, count, type}; }

Envelope InMemoryRuntime::Receive::envelope() const { return {peer, rank, key.context, key.tag, count, type}; }

std::string InMemoryRuntime::Slot::text() const {
  if (send) return request_text(true, send->count, send->type, send->dest, send->key.tag);
  return request_text(false, receive->count, receive->type, receive->peer, receive->key.tag);
}

void InMemoryRuntime::fail(CheckError::Kind kind, const std::string& explanation) {
  fail(std::make_exception_ptr(CheckError(kind, explanation)));
}

void InMemoryRuntime::note_misuse(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (misuse_.empty()) misuse_ = text;
}

void InMemoryRuntime::fail(const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  fail_now(error);
}

void InMemoryRuntime::fail_now(const std::exception_ptr& error) {
  if (!failure_) failure_ = error;
  is_over_ = true;
  for (Task& task : tasks_) {
    ++task.signals;
    // Who waits for its branches waits until they have gone.
    if (task.children_left == 0) wake(task);
  }
}

Failure InMemoryRuntime::explain_deadlock() const {
  std::vector<BlockedOperation> blocked;
  for (const Task& task : tasks_) {
    for (const Slot& slot : task.slots) {
      if (!slot.is_awaited || !slot.is_pending()) continue;
      blocked.push_back({{task.rank, task.number, slot.send ? slot.send->dest : slot.receive->peer, slot.text()}});
      if (slot.receive && slot.receive->peer >= 0) blocked.back().receives = slot.receive->envelope();
    }
  }
  for (const auto& [id, call] : splits_.under_way()) {
    for (const Task* task : call.members)
      blocked.push_back({{task->rank, task->number, -1, "in split() for ranks that have not called it"}});
  }
  std::stable_sort(blocked.begin(), blocked.end(), [](const BlockedOperation& a, const BlockedOperation& b) {
    return std::pair(a.rank, a.task) < std::pair(b.rank, b.task);
  });
  std::vector<Envelope> unreceived;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) unreceived.push_back(message->envelope());
  }
  return emu::explain_deadlock(static_cast<int>(ranks_), blocked, unreceived);
}

void InMemoryRuntime::check_all_received() {
  std::string text;
  std::size_t count = 0;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) {
      if (++count <= 8) text += "\n  " + message->text();
    }
  }
  if (count == 0) return;
  fail(CheckError::Kind::hygiene, fmt::format("{} message{} nobody received:{}", count, count == 1 ? " that" : "s that", text));
}

}  // namespace heddle::emu
