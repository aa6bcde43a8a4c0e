// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "emu/messages/emulated_communicator.hpp"

namespace heddle::emu {

/// While it lives, its task is inside of the guard.
class GuardedCommunicator::Inside {
 public:
  /// Throws Released when the run is being given up.
  explicit Inside(const GuardedCommunicator& communicator)
      : host_(communicator.host()), guard_(communicator.guard_), task_(communicator.task()) {
    guard_.enter(task_);
    if (!host_.is_giving_up()) return;
    guard_.leave();
    Host::leave();
    guard_.enter(task_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    guard_.act([this] { host_.take_pending_now(task_); });
    guard_.leave();
  }

 private:
  Host& host_;
  TaskGuard& guard_;
  TaskId task_;
};

GuardedCommunicator::GuardedCommunicator(Host& host, TaskGuard& guard, TaskId task, std::shared_ptr<const Group> group,
                                         int rank, std::uint32_t context)
    : EmulatedCommunicator(host, task, std::move(group), rank, context),
      guard_(guard),
      switches_(*this, EmulatedCommunicator::in_network()) {}

Request GuardedCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  if (is_refused("isend")) return {};
  const Inside inside(*this);
  return EmulatedCommunicator::isend(dest, pieces, tag);
}

Request GuardedCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  if (is_refused("irecv")) return {};
  const Inside inside(*this);
  return EmulatedCommunicator::irecv(source, pieces, tag);
}

void GuardedCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  if (is_refused("wait_all")) return;
  const Inside inside(*this);
  EmulatedCommunicator::wait_all(requests, statuses);
}

void GuardedCommunicator::wait_for_room(Rank dest, Tag tag) {
  if (is_refused("wait_for_room")) return;
  const Inside inside(*this);
  EmulatedCommunicator::wait_for_room(dest, tag);
}

void GuardedCommunicator::measure_concurrently(int n, MessageSpace space,
                                               const std::function<void(int, MeasuredCommunicator&)>& body) {
  if (is_refused("concurrently")) return;
  const Inside inside(*this);
  EmulatedCommunicator::measure_concurrently(n, space, body);
}

std::unique_ptr<MeasuredCommunicator> GuardedCommunicator::split_measured(int color, int key) {
  if (is_refused("split")) return nullptr;
  const Inside inside(*this);
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return make_like(part->group, part->rank, part->context);
}

std::unique_ptr<EmulatedCommunicator> GuardedCommunicator::make_like(std::shared_ptr<const Group> its_group, int rank,
                                                                     std::uint32_t context) {
  auto made = std::make_unique<GuardedCommunicator>(host(), guard_, task(), std::move(its_group), rank, context);
  note_below(*made);
  return made;
}

void GuardedCommunicator::make_call(const char* function, const CallBody& body) {
  if (is_refused(function)) return;
  const Inside inside(*this);
  body();
}

void GuardedCommunicator::phase(std::string_view name) {
  if (!host().sees_phases() || is_refused("phase")) return;
  const Inside inside(*this);
  EmulatedCommunicator::phase(name);
}

void GuardedCommunicator::charge(std::size_t bytes) {
  if (host().costs().local_work(bytes) == Time()) return;
  const Inside inside(*this);
  EmulatedCommunicator::charge(bytes);
}

void GuardedCommunicator::require_usable(const char* what, VectorView into, ConstVectorView from) const {
  if (!host().task(task()).open.has_any()) return;
  const Inside inside(*this);
  EmulatedCommunicator::require_usable(what, into, from);
}

InNetwork* GuardedCommunicator::in_network() { return switches_.is_there() ? &switches_ : nullptr; }

std::string GuardedCommunicator::Switches::why_not(Collective collective, Datatype type, std::int64_t count,
                                                   const ReduceOp* op) const {
  const Inside inside(communicator_);
  return offers_->why_not(collective, type, count, op);
}

void GuardedCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  if (communicator_.is_refused("in_network()->perform")) return;
  const Inside inside(communicator_);
  offers_->perform(collective, arguments);
}

Time GuardedCommunicator::now() const {
  const Inside inside(*this);
  return EmulatedCommunicator::now();
}

std::optional<Datatype> GuardedCommunicator::switch_precision() const {
  const Inside inside(*this);
  return EmulatedCommunicator::switch_precision();
}

void GuardedCommunicator::require_all_waited_for() {
  const Inside inside(*this);
  EmulatedCommunicator::require_all_waited_for();
}

void GuardedCommunicator::begin_second_call() {
  const Inside inside(*this);
  EmulatedCommunicator::begin_second_call();
}

void GuardedCommunicator::delay() {
  const Inside inside(*this);
  EmulatedCommunicator::delay();
}

void GuardedCommunicator::start_line() {
  const Inside inside(*this);
  EmulatedCommunicator::start_line();
}

Time GuardedCommunicator::finish_line() {
  const Inside inside(*this);
  return EmulatedCommunicator::finish_line();
}

}  // namespace heddle::emu
