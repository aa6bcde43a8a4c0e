// SPDX-License-Identifier: Apache-2.0
// A schedule of exchanges under way: the engine takes its steps, and the task sleeps through them all. Thousands of tasks
// act at one instant, and a stack takes as many cache lines as everything else that a step needs.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>

#include "core/exchange_schedule.hpp"
#include "emu/communicators/endpoint.hpp"

namespace heddle::emu {

/// While it lives, TaskState::steps is this.
class alignas(64) ScheduleSteps {
 public:
  ScheduleSteps(const Endpoint& endpoint, ExchangeSchedule& schedule);
  ScheduleSteps(const ScheduleSteps&) = delete;
  ScheduleSteps& operator=(const ScheduleSteps&) = delete;
  ~ScheduleSteps();

  /// Begins the next step that has something to exchange, and waits for it. False: none is left.
  bool begin_next();
  /// What the task waited for has completed: ends that step and begins the next. False: the task goes on by itself.
  bool go_on() noexcept;
  /// What ended the steps before the last.
  void rethrow() const;

  /// For fetching it into the cache.
  const ExchangeSchedule* schedule() const { return &schedule_; }

 private:
  void end();
  TaskState& task() const;
  /// Of the step at hand.
  std::span<const Request> requests() const { return std::span(requests_).first(requests_made_); }

  Endpoint endpoint_;
  ExchangeSchedule& schedule_;
  std::span<const VectorView> sums_;  ///< that what comes is combined with
  VectorView incoming_;               ///< where it comes
  std::array<Request, 2> requests_;
  std::uint32_t requests_made_ = 0;
  int next_ = 0;
  std::exception_ptr failure_;
};

}  // namespace heddle::emu
