// SPDX-License-Identifier: Apache-2.0
// Exchanges that a rank makes one after the other, known beforehand: the rounds of a ring. Handed to the communicator as a
// whole (Communicator::exchange), they need the rank's thread only when all are done.
#pragma once

#include <span>
#include <utility>

#include "core/rank.hpp"
#include "core/reduce_op.hpp"
#include "core/vector_view.hpp"

namespace heddle {

/// A send and a receive at once. A side without elements is left out: nothing is sent, or nothing received.
struct Exchange {
  Rank dest;
  std::span<const ConstVectorView> data;
  Rank source;
  std::span<const VectorView> into;  ///< receives the message, or is combined with it
};

/// An exchange of one contiguous part each way.
struct Round {
  Rank dest;
  ConstVectorView data;
  Rank source;
  VectorView into;
};

/// What comes is combined with what is there, as by Communicator::sendrecv_reduce.
struct Reduction {
  const ReduceOp* op = nullptr;  ///< nullptr: it is received as it is. Outlives the schedule
  VectorView scratch = {};       ///< as long as the longest message, of its type, apart from what is sent and combined
  Side side = Side::right;
};

/// Steps 0 … steps() - 1. Each begins when the one before has completed.
class ExchangeSchedule {
 public:
  ExchangeSchedule(int steps, const Reduction& reduction) : steps_(steps), reduction_(reduction) {}
  ExchangeSchedule(const ExchangeSchedule&) = delete;
  ExchangeSchedule& operator=(const ExchangeSchedule&) = delete;
  virtual ~ExchangeSchedule() = default;

  int steps() const { return steps_; }
  const Reduction& reduction() const { return reduction_; }

  /// Called for each step once, in order, from any thread, one at a time. What it points to stays until the next call. It must
  /// not use the communicator; what it throws, exchange() throws.
  virtual Exchange at(int step) = 0;

 private:
  int steps_;
  Reduction reduction_;
};

/// Rounds that a function of the round's number returns.
template <class RoundOf>
class RoundSchedule final : public ExchangeSchedule {
 public:
  RoundSchedule(int rounds, const Reduction& reduction, RoundOf round_of)
      : ExchangeSchedule(rounds, reduction), round_of_(std::move(round_of)) {}

  Exchange at(int round) override {
    round_ = round_of_(round);
    return {round_.dest, std::span(&round_.data, 1), round_.source, std::span(&round_.into, 1)};
  }

 private:
  RoundOf round_of_;
  Round round_ = {};
};

}  // namespace heddle
