// SPDX-License-Identifier: Apache-2.0
#include "emu/wall_communicator.hpp"

#include <utility>

#include "emu/emulation.hpp"

namespace heddle::emu {

/// While it lives, its strand is inside of the emulation.
class WallCommunicator::Inside {
 public:
  /// Throws Released when the run is being given up.
  explicit Inside(const WallCommunicator& communicator)
      : emulation_(communicator.emulation()), clock_(communicator.clock_), strand_(communicator.strand()) {
    clock_.enter(strand_);
    if (!emulation_.is_giving_up()) return;
    clock_.leave();
    throw Emulation::Released{};
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    clock_.act([this] { emulation_.post_now(strand_); });
    clock_.leave();
  }

 private:
  Emulation& emulation_;
  WallClock& clock_;
  StrandId strand_;
};

WallCommunicator::WallCommunicator(Emulation& emulation, WallClock& clock, StrandId strand, std::shared_ptr<const Group> group,
                                   int rank, std::uint32_t context)
    : EmulatedCommunicator(emulation, strand, std::move(group), rank, context),
      clock_(clock),
      switches_(*this, EmulatedCommunicator::in_network()) {}

Request WallCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  const Inside inside(*this);
  return EmulatedCommunicator::isend(dest, pieces, tag);
}

Request WallCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  const Inside inside(*this);
  return EmulatedCommunicator::irecv(source, pieces, tag);
}

void WallCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  const Inside inside(*this);
  EmulatedCommunicator::wait_all(requests, statuses);
}

void WallCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  const Inside inside(*this);
  EmulatedCommunicator::concurrently(n, body);
}

std::unique_ptr<Communicator> WallCommunicator::split(int color, int key) {
  const Inside inside(*this);
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return std::make_unique<WallCommunicator>(emulation(), clock_, strand(), part->group, part->rank, part->context);
}

void WallCommunicator::charge(std::size_t bytes) {
  if (emulation().local_work(bytes) == Time()) return;
  const Inside inside(*this);
  EmulatedCommunicator::charge(bytes);
}

InNetwork* WallCommunicator::in_network() { return switches_.is_there() ? &switches_ : nullptr; }

std::string WallCommunicator::Switches::why_not(Collective collective, Datatype type, std::int64_t count,
                                                const ReduceOp* op) const {
  const Inside inside(communicator_);
  return offers_->why_not(collective, type, count, op);
}

void WallCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  const Inside inside(communicator_);
  offers_->perform(collective, arguments);
}

Time WallCommunicator::now() const {
  const Inside inside(*this);
  return EmulatedCommunicator::now();
}

std::optional<Datatype> WallCommunicator::switch_precision() const {
  const Inside inside(*this);
  return EmulatedCommunicator::switch_precision();
}

void WallCommunicator::begin_rehearsal() {
  const Inside inside(*this);
  EmulatedCommunicator::begin_rehearsal();
}

void WallCommunicator::fall_behind() {
  const Inside inside(*this);
  EmulatedCommunicator::fall_behind();
}

void WallCommunicator::start_line() {
  const Inside inside(*this);
  EmulatedCommunicator::start_line();
}

Time WallCommunicator::finish_line() {
  const Inside inside(*this);
  return EmulatedCommunicator::finish_line();
}

}  // namespace heddle::emu
