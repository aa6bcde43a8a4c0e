// SPDX-License-Identifier: Apache-2.0
// The communicator of a rank that a fault concerns: tells the emulation of each call before it makes it, so that communicators
// of healthy ranks need not ask.
#pragma once

#include <memory>

#include "emu/emulated_communicator.hpp"

namespace heddle::emu {

class FaultyCommunicator final : public EmulatedCommunicator {
 public:
  FaultyCommunicator(Emulation& emulation, StrandId strand, std::shared_ptr<const Group> group, int rank,
                     std::uint32_t context);

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  /// Each step's calls count for themselves.
  void exchange(ExchangeSchedule& schedule) override { Communicator::exchange(schedule); }
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  InNetwork* in_network() override { return offers_ == nullptr ? nullptr : &switches_; }

  void begin_rehearsal() override;
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

  void count_call(const char* name);

  InNetwork* offers_;  ///< what the base has, or nullptr
  Switches switches_;
};

}  // namespace heddle::emu
