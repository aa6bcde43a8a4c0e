// SPDX-License-Identifier: Apache-2.0
// What a run keeps for each rank: until when it is busy, how many tasks it has had, whether it makes its second call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "heddle/units.hpp"

namespace heddle::emu {

/// Ranks are the run's. A rank's own thread may say that it begins its second call, and ask for it; all else belongs to
/// the engine's thread.
class Ranks {
 public:
  explicit Ranks(std::size_t count) : ranks_(count) {}

  int count() const { return static_cast<int>(ranks_.size()); }

  // ---- what a rank spends its own time on, one thing after the other ----

  /// When something of a rank begins, and when it would have had no message shared a link.
  struct Begin {
    Time time;
    Time contention_free;
  };

  /// No earlier than `from`: when the rank has done with everything before.
  Time free_from(int rank, Time from) const { return std::max(from, at(rank).busy_until); }
  /// The rank spends `duration` as soon as it can.
  Begin occupy(int rank, Begin from, Time duration) {
    Rank& its = at(rank);
    const Begin begin{std::max(from.time, its.busy_until), std::max(from.contention_free, its.contention_free_busy_until)};
    its.busy_until = begin.time + duration;
    its.contention_free_busy_until = begin.contention_free + duration;
    return begin;
  }

  // ---- tasks ----

  /// Of a new task of the rank: 0 is the rank itself.
  int take_task_number(int rank) { return at(rank).tasks_made++; }
  int tasks_made(int rank) const { return at(rank).tasks_made; }

  // ---- the second call ----

  /// The rank's measured call is over.
  void begin_second_call(int rank) {
    at(rank).second_call = true;
    ++making_second_call_;
  }
  bool in_second_call(int rank) const { return at(rank).second_call; }
  bool nobody_makes_second_call() const { return making_second_call_ == 0; }
  bool all_make_second_call() const { return making_second_call_ == ranks_.size(); }

 private:
  struct Rank {
    Time busy_until;
    Time contention_free_busy_until;
    bool second_call = false;
    int tasks_made = 0;
  };

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const Rank& at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  std::vector<Rank> ranks_;
  std::atomic<std::size_t> making_second_call_ = 0;  ///< ranks: once all do, all that is reported has happened
};

}  // namespace heddle::emu
