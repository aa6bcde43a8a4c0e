// SPDX-License-Identifier: Apache-2.0
// A plan of exchanges under way: the engine takes its steps, and the task sleeps through them all. Thousands of tasks
// act at one timestamp, and a stack takes as many cache lines as everything else that a step needs.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>

#include "emu/messages/endpoint.hpp"
#include "heddle/communicator.hpp"
#include "heddle/messages.hpp"

namespace heddle::emu {

/// While it lives, TaskState::steps is this. A step is looked up, then posted, and ends when its requests have completed. Between the
/// first two, all tasks that exchange at one timestamp may make theirs together, without requests (emu/run/lockstep_rounds.hpp).
class alignas(64) ExchangeSteps {
 public:
  ExchangeSteps(const Endpoint& endpoint, ExchangePlan& plan);
  ExchangeSteps(const ExchangeSteps&) = delete;
  ExchangeSteps& operator=(const ExchangeSteps&) = delete;
  ~ExchangeSteps();

  /// Looks up the next step that has something to exchange. False: none is left, or something has been thrown.
  bool look_up() noexcept;
  /// A step has been looked up, and not been posted.
  bool is_looked_up() const { return state_ == State::looked_up; }
  /// Posts it: the task waits for it. False: something has been thrown, and the task goes on by itself.
  bool post() noexcept;
  /// What the task waited for has completed: ends that step and looks up the next. False: the task goes on by itself.
  bool go_on() noexcept;
  /// What ended the steps before the last.
  void rethrow() const;
  /// What the only step of a plan has received, where it reduces nothing.
  const Status& came() const { return came_; }

  // ---- of a step that is looked up, for who makes those of all tasks ----

  const Endpoint& endpoint() const { return endpoint_; }
  const Exchange& step() const { return step_; }
  std::int64_t given() const { return given_; }
  std::int64_t gotten() const { return gotten_; }
  bool is_only_step() const { return plan_.steps() == 1; }
  bool reduces() const { return plan_.reduction().op != nullptr; }
  /// Whether the step may be posted, as far as its own memory goes.
  bool is_in_order() const;
  /// What `sender` gives in its step has come, which is as much as this one gets. Of what a reduction throws, the plan ends.
  void receive_from(const ExchangeSteps& sender) noexcept;

 private:
  enum class State : std::uint8_t { none_left, looked_up, posted };

  void end();
  void combine(std::span<const VectorView> sums, ConstVectorView incoming) const;
  TaskState& task() const;
  /// Of the step at hand.
  std::span<const Request> requests() const { return std::span(requests_).first(requests_made_); }

  Endpoint endpoint_;
  ExchangePlan& plan_;
  int next_ = 0;
  State state_ = State::none_left;
  std::uint32_t requests_made_ = 0;
  Exchange step_{};
  std::int64_t given_ = 0;
  std::int64_t gotten_ = 0;
  std::array<Request, 2> requests_;
  Status came_;
  std::exception_ptr failure_;
};

/// A plan of one step, which sendrecv and sendrecv_reduce make.
class OneExchange final : public ExchangePlan {
 public:
  OneExchange(const Exchange& step, const Reduction& reduction) : ExchangePlan(1, reduction), step_(step) {}
  Exchange at(int /*step*/) override { return step_; }

 private:
  Exchange step_;
};

}  // namespace heddle::emu
