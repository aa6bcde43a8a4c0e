// SPDX-License-Identifier: Apache-2.0
// Decides, in a run whose order is not the usual one or whose choices are asked for, what is delayed and what is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emu/settings/explored_order.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

class OrderDirector {
 public:
  /// What is held back, in the order in which it was.
  struct Held {
    bool is_task;
    std::uint32_t id;  ///< of the task or of the message
    Time since;
  };

  /// `met` is filled with the points that the run meets, if it is set. Both outlive this.
  OrderDirector(const ExploredOrder& order, std::vector<MetPoint>* met);

  /// Rank `rank`, or branch `task` of it, is due.
  bool delays_step(int rank, int task);
  /// A message is due.
  bool delays_arrival(int source, int dest);
  /// Which of so many messages that are there a receive takes; 0 is the one that came first. messages ≥ 2.
  std::size_t pick(int rank, std::size_t messages);
  /// By how much a message that takes so long alone comes later.
  Time jitter(std::uint64_t message, Time alone) const;

  void hold(const Held& held) { held_.push_back(held); }
  bool is_holding() const { return !held_.empty(); }
  Held release();

 private:
  /// The way to go at a point.
  std::uint32_t way_at(OrderPoint::Kind kind, int rank, int other, std::uint32_t ways);

  const ExploredOrder& order_;
  std::vector<MetPoint>* met_;
  std::unordered_map<std::uint64_t, std::uint32_t> steps_;     ///< by rank and task: so many points so far
  std::unordered_map<std::uint64_t, std::uint32_t> arrivals_;  ///< by source and destination
  std::unordered_map<std::uint64_t, std::uint32_t> picks_;     ///< by rank
  std::uint64_t picked_ = 0;
  std::deque<Held> held_;
};

}  // namespace heddle::emu
