// SPDX-License-Identifier: Apache-2.0
#include "emu/in_memory_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <thread>

#include "emu/fault_text.hpp"
#include "emu/in_memory_communicator.hpp"

namespace heddle::emu {

namespace {

/// Before it sleeps, a strand gives way to the others so many times: a hand-over between threads that sleep takes longer.
constexpr int kYields = 50;

}  // namespace

InMemoryRuntime::InMemoryRuntime(const Fabric& fabric, const Placement& placement, bool can_buffer)
    : fabric_(fabric),
      placement_(placement),
      can_buffer_(can_buffer),
      mailboxes_(placement.size()),
      strands_made_(placement.size()) {
  auto world = std::make_shared<Group>();
  world->members.resize(placement.size());
  std::iota(world->members.begin(), world->members.end(), 0);
  describe_place(*world);
  world_ = std::move(world);
}

void InMemoryRuntime::run(const std::function<void(Communicator&)>& function) {
  const int ranks = static_cast<int>(placement_.size());
  std::vector<std::thread> threads;
  std::exception_ptr no_threads;
  {
    const std::lock_guard lock(mutex_);
    live_ = placement_.size();  // nobody is asleep alone while others are still to come
  }
  for (int rank = 0; rank < ranks; ++rank) {
    Strand& strand = new_strand(rank);
    try {
      threads.emplace_back([this, &strand, &function, rank] {
        run_strand(strand, [&] {
          InMemoryCommunicator communicator(*this, strand, world_, rank, 0);
          function(communicator);
        });
        ended();
      });
    } catch (const std::system_error& error) {
      no_threads = std::make_exception_ptr(InputError(
          fmt::format("the system has no more kernel threads than {} for ranks ({})", rank, error.code().message())));
      fail(CheckError::Kind::rank_failed, "");
      break;
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (no_threads) std::rethrow_exception(no_threads);
  if (!failure_) check_all_received();
  if (failure_) throw *failure_;
}

// ---- strands ----

InMemoryRuntime::Strand& InMemoryRuntime::new_strand(int rank) {
  const std::lock_guard lock(mutex_);
  Strand& strand = strands_.emplace_back();
  strand.rank = rank;
  strand.number = strands_made_[static_cast<std::size_t>(rank)]++;
  strand.id = static_cast<std::uint32_t>(strands_.size() - 1);
  return strand;
}

void InMemoryRuntime::run_strand(Strand& strand, const std::function<void()>& body) {
  try {
    body();
  } catch (const Released&) {
    return;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    withdraw_sends(strand);
    return fail(is_usage_error(failure) ? CheckError::Kind::usage : CheckError::Kind::rank_failed,
                fmt::format("rank {} failed: {}", strand.rank, what_of(failure)));
  }
  const auto left = strand.slots.size() - strand.free_slots.size();
  if (left == 0) return;
  const auto first = std::find_if(strand.slots.begin(), strand.slots.end(),
                                  [](const Slot& slot) { return slot.send != nullptr || slot.receive != nullptr; });
  const std::string text =
      fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", strand.rank, left, first->text());
  withdraw_sends(strand);
  fail(CheckError::Kind::hygiene, text);
}

void InMemoryRuntime::ended() {
  const std::lock_guard lock(mutex_);
  --live_;
  if (live_ > 0 && asleep_ == live_) all_asleep();
}

void InMemoryRuntime::concurrently(Strand& strand, int n, const std::function<void(int, Strand&)>& body) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    strand.children_left = n;
    live_ += static_cast<std::size_t>(n);
  }
  const auto end_child = [this, &strand] {
    {
      const std::lock_guard lock(mutex_);
      --strand.children_left;
      wake(strand);
    }
    ended();
  };
  for (int i = 0; i < n; ++i) {
    Strand& child = new_strand(strand.rank);
    try {
      threads.emplace_back([this, &child, &body, i, end_child] {
        run_strand(child, [&] { body(i, child); });
        end_child();
      });
    } catch (const std::system_error& error) {
      fail(CheckError::Kind::rank_failed, fmt::format("the system has no more kernel threads ({})", error.code().message()));
      for (int missing = i; missing < n; ++missing) end_child();
      break;
    }
  }
  {
    std::unique_lock lock(mutex_);
    while (strand.children_left > 0) fall_asleep(strand, lock);
  }
  for (std::thread& thread : threads) thread.join();
  require_running(strand);
}

// ---- sleeping ----

void InMemoryRuntime::require_running(Strand& strand) {
  if (!is_over_) return;
  withdraw_sends(strand);
  throw Released{};
}

void InMemoryRuntime::signal(Strand& strand) {
  strand.signals.fetch_add(1);
  if (!strand.may_sleep) return;
  const std::lock_guard lock(mutex_);
  wake(strand);
}

void InMemoryRuntime::wake(Strand& strand) {
  if (!strand.is_asleep) return;
  strand.is_asleep = false;
  --asleep_;
  strand.woken.notify_one();
}

void InMemoryRuntime::fall_asleep(Strand& strand, std::unique_lock<std::mutex>& lock) {
  strand.is_asleep = true;
  ++asleep_;
  if (asleep_ == live_) all_asleep();
  strand.woken.wait(lock, [&strand] { return !strand.is_asleep; });
}

void InMemoryRuntime::sleep(Strand& strand, std::uint32_t seen) {
  for (int i = 0; i < kYields; ++i) {
    if (strand.signals != seen) return;
    std::this_thread::yield();
  }
  require_running(strand);
  {
    std::unique_lock lock(mutex_);
    strand.may_sleep = true;
    if (strand.signals == seen && !is_over_) fall_asleep(strand, lock);
    strand.may_sleep = false;
  }
  require_running(strand);
}

/// Nobody is left to signal anybody.
void InMemoryRuntime::all_asleep() {
  if (is_over_) {
    for (Strand& strand : strands_) {
      if (strand.children_left == 0) wake(strand);
    }
    return;
  }
  bool has_woken = false;
  if (can_buffer_) {
    for (Strand& strand : strands_) has_woken |= keep_sends(strand);
  }
  if (has_woken) return;
  for (Strand& strand : strands_) {
    if (!strand.is_lagging) continue;
    strand.is_lagging = false;
    wake(strand);
    has_woken = true;
  }
  if (!has_woken) fail_now(CheckError::Kind::deadlock, explain_deadlock());
}

bool InMemoryRuntime::keep_sends(Strand& strand) {
  if (!strand.is_asleep) return false;
  bool has_kept = false;
  for (const Slot& slot : strand.slots) {
    if (!slot.is_awaited || !slot.send || !slot.is_pending()) continue;
    slot.send->kept.assign(slot.send->from.span());
    slot.send->is_kept = true;
    has_kept = true;
  }
  if (has_kept) {
    ++strand.signals;
    wake(strand);
  }
  return has_kept;
}

void InMemoryRuntime::lag(Strand& strand) {
  {
    std::unique_lock lock(mutex_);
    strand.is_lagging = true;
    while (strand.is_lagging && !is_over_) fall_asleep(strand, lock);
  }
  require_running(strand);
}

void InMemoryRuntime::meet(Strand& strand) {
  {
    std::unique_lock lock(mutex_);
    if (++met_ == placement_.size()) {
      met_ = 0;
      ++meetings_;
      for (Strand& other : strands_) wake(other);
    } else {
      const std::uint64_t before = meetings_;
      while (meetings_ == before && !is_over_) fall_asleep(strand, lock);
    }
  }
  require_running(strand);
}

}  // namespace heddle::emu
