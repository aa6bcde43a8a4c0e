// SPDX-License-Identifier: Apache-2.0
// The Communicator of a rank under the wall clock, which runs while others do: it holds the clock's lock while it is inside of
// the emulation, and what it posts takes effect at once.
#pragma once

#include <memory>
#include <string>

#include "emu/emulated_communicator.hpp"
#include "emu/wall_clock.hpp"

namespace heddle::emu {

class WallCommunicator final : public EmulatedCommunicator {
 public:
  WallCommunicator(Emulation& emulation, WallClock& clock, StrandId strand, std::shared_ptr<const Group> group, int rank,
                   std::uint32_t context);

  /// While it lives, its strand runs what is not the emulation's and does not hold the lock.
  class Outside {
   public:
    Outside(WallClock& clock, StrandId strand) : clock_(clock), strand_(strand) { clock_.leave(); }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() { clock_.enter(strand_); }

   private:
    WallClock& clock_;
    StrandId strand_;
  };

  using EmulatedCommunicator::irecv;
  using EmulatedCommunicator::isend;
  using EmulatedCommunicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  InNetwork* in_network() override;

  Time now() const override;
  std::optional<Datatype> switch_precision() const override;
  void begin_rehearsal() override;
  void fall_behind() override;
  void start_line() override;
  Time finish_line() override;

 protected:
  void charge(std::size_t bytes) override;

 private:
  class Inside;

  /// The switches' offers, asked under the lock.
  class Switches final : public InNetwork {
   public:
    Switches(WallCommunicator& communicator, InNetwork* offers) : communicator_(communicator), offers_(offers) {}
    bool is_there() const { return offers_ != nullptr; }
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override;
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    WallCommunicator& communicator_;
    InNetwork* offers_;
  };

  WallClock& clock_;
  Switches switches_;
};

}  // namespace heddle::emu
