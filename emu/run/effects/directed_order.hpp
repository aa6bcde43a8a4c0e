// SPDX-License-Identifier: Apache-2.0
// A run in another order than the usual one: what is due may be held back until nothing else can happen.
#pragma once

#include <cstddef>

#include "emu/messages/mailbox.hpp"
#include "emu/orders/order_director.hpp"
#include "emu/run/effects/message_flow.hpp"
#include "emu/run/state/run_state.hpp"

namespace heddle::emu {

/// All that a checked run does has points, what is not measured too.
class DirectedOrder final : public AnySourceChoice {
 public:
  /// All of them outlive it.
  DirectedOrder(RunState& run, MessageFlow& flow, OrderDirector& director) : run_(run), flow_(flow), director_(director) {}

  /// As EngineClient has them.
  bool holds_back(TaskId task);
  bool release();

  std::size_t choose(ReceiveId receive, std::size_t messages) override;

 private:
  RunState& run_;
  MessageFlow& flow_;
  OrderDirector& director_;
};

}  // namespace heddle::emu
