// SPDX-License-Identifier: Apache-2.0
// The Communicator of a rank that runs while others do, under the wall clock: it is inside of the engine's guard while it uses
// what belongs to the run, and what it asks for takes effect at once.
#pragma once

#include <memory>
#include <string>

#include "emu/communicators/emulated_communicator.hpp"

namespace heddle::emu {

class GuardedCommunicator final : public EmulatedCommunicator {
 public:
  GuardedCommunicator(Host& host, TaskGuard& guard, TaskId task, std::shared_ptr<const Group> group, int rank,
                      std::uint32_t context);

  /// While it lives, its task runs what does not belong to the run, outside of the guard.
  class Outside {
   public:
    Outside(TaskGuard& guard, TaskId task) : guard_(guard), task_(task) { guard_.leave(); }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() { guard_.enter(task_); }

   private:
    TaskGuard& guard_;
    TaskId task_;
  };

  using EmulatedCommunicator::irecv;
  using EmulatedCommunicator::isend;
  using EmulatedCommunicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void wait_for_room(Rank dest, Tag tag) override;
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  InNetwork* in_network() override;
  void phase(std::string_view name) override;

  Time now() const override;
  std::optional<Datatype> switch_precision() const override;
  void begin_verification() override;
  void fall_behind() override;
  void start_line() override;
  Time finish_line() override;

 protected:
  void charge(std::size_t bytes) override;
  void require_usable(const char* what, VectorView into, ConstVectorView from) const override;

 private:
  class Inside;

  /// The switches' offers, asked inside.
  class Switches final : public InNetwork {
   public:
    Switches(GuardedCommunicator& communicator, InNetwork* offers) : communicator_(communicator), offers_(offers) {}
    bool is_there() const { return offers_ != nullptr; }
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override;
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    GuardedCommunicator& communicator_;
    InNetwork* offers_;
  };

  TaskGuard& guard_;
  Switches switches_;
};

}  // namespace heddle::emu
