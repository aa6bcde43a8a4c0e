// SPDX-License-Identifier: Apache-2.0
// A plan of exchanges under way: the engine takes its steps, and the task sleeps through them all. Thousands of tasks
// act at one timestamp, and a stack takes as many cache lines as everything else that a step needs.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "emu/messages/endpoint.hpp"
#include "heddle/communicator.hpp"
#include "heddle/messages.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// While it lives, TaskState::steps is this. A step is looked up, then posted, and ends when its requests have completed. Between the
/// first two, all tasks that exchange at one timestamp may make theirs together, without requests (emu/run/lockstep_rounds.hpp).
class alignas(64) ExchangeSteps {
 public:
  ExchangeSteps(const Endpoint& endpoint, ExchangePlan& plan);
  /// One or more, one after the other.
  ExchangeSteps(const Endpoint& endpoint, ExchangePlans plans);
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
  /// What ended the steps before the last; nullptr: nothing.
  const std::exception_ptr& failure() const { return failure_; }
  void rethrow() const;
  /// What the only step of a plan has received, where it reduces nothing.
  const Status& came() const { return came_; }

  // ---- of a step that is looked up, for who makes those of all tasks ----

  const Endpoint& endpoint() const { return endpoint_; }
  const Exchange& step() const { return step_; }
  std::int64_t given() const { return given_; }
  std::int64_t gotten() const { return gotten_; }
  bool is_only_step() const { return plan_->steps() == 1; }
  bool reduces() const { return plan_->reduction().op != nullptr; }
  /// What comes is combined once what is sent has left.
  bool combines_late() const { return reduces() && plan_->reduction().after_sending; }
  /// Whether the step may be posted, as far as its own memory goes.
  bool is_in_order() const;
  /// What `sender` gives in its step has come, which is as much as this one gets. Of what a reduction throws, the plan ends.
  void receive_from(const ExchangeSteps& sender) noexcept;
  /// It has come and is kept: combined by combine_kept(), once nobody else looks at these sums.
  void keep(const ExchangeSteps& sender) noexcept;
  void combine_kept() noexcept;
  /// Two that send each other the very sums that they add to, each in one piece. `aside` is used for one of them meanwhile.
  void swap_sums(ExchangeSteps& other, std::vector<std::byte>& aside) noexcept;

 private:
  enum class State : std::uint8_t { none_left, looked_up, posted };

  void end();
  void combine(std::span<const VectorView> sums, ConstVectorView incoming) const;
  void combine_from(const ExchangeSteps& sender);
  template <class Work>
  void guarded(const Work& work) noexcept;
  VectorView room();
  TaskState& task() const;
  /// Of the step at hand.
  std::span<const Request> requests() const { return std::span(requests_).first(requests_made_); }

  Endpoint endpoint_;
  ExchangePlan* plan_;
  int next_ = 0;  ///< step of it
  State state_ = State::none_left;
  std::uint32_t requests_made_ = 0;
  Exchange step_{};
  std::int64_t given_ = 0;
  std::int64_t gotten_ = 0;
  std::array<Request, 2> requests_;
  Status came_;
  std::unique_ptr<Buffer> room_;  ///< for messages that are to be combined, where the plan has none
  std::exception_ptr failure_;
  ExchangePlans plans_;
  std::size_t next_plan_ = 1;
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
