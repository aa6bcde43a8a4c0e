// SPDX-License-Identifier: Apache-2.0
// The communicator of a rank that a fault concerns: has each call counted before it makes it, so that communicators
// of healthy ranks need not ask.
#pragma once

#include <memory>

#include "emu/communicators/emulated_communicator.hpp"

namespace heddle::emu {

/// Who knows what goes wrong with ranks, and when. Each function on the task's own thread.
class CallCounter {
 public:
  /// What is measured begins on this task: calls count, a late rank waits for its time.
  virtual void begin(TaskId task) = 0;
  /// What is measured has ended.
  virtual void end(TaskId task) = 0;
  /// The task is about to make this call: throws if the rank is to throw, never returns if it is to stop.
  virtual void count(TaskId task, const char* call) = 0;

 protected:
  ~CallCounter() = default;
};

class FaultyCommunicator final : public EmulatedCommunicator {
 public:
  FaultyCommunicator(Host& host, CallCounter& faults, TaskId task, std::shared_ptr<const Group> group, int rank,
                     std::uint32_t context);

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  /// Each step's calls count for themselves.
  void exchange(ExchangeSchedule& schedule) override { Communicator::exchange(schedule); }
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  InNetwork* in_network() override { return offers_ == nullptr ? nullptr : &switches_; }

  void begin_verification() override;
  void start_line() override;
  Time finish_line() override;

 private:
  class Switches final : public InNetwork {
   public:
    explicit Switches(FaultyCommunicator& communicator) : communicator_(communicator) {}
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override {
      return communicator_.offers_->why_not(collective, type, count, op);
    }
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    FaultyCommunicator& communicator_;
  };

  void count_call(const char* name) { faults_.count(task(), name); }

  CallCounter& faults_;
  InNetwork* offers_;  ///< what the base has, or nullptr
  Switches switches_;
};

}  // namespace heddle::emu
