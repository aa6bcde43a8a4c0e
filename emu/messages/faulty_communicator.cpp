// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "emu/messages/emulated_communicator.hpp"

namespace heddle::emu {

FaultyCommunicator::FaultyCommunicator(Host& host, CallCounter& faults, TaskId task, std::shared_ptr<const Group> group,
                                       int rank, std::uint32_t context)
    : EmulatedCommunicator(host, task, std::move(group), rank, context),
      faults_(faults),
      offers_(EmulatedCommunicator::in_network()),
      switches_(*this) {}

Request FaultyCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  if (is_refused("isend")) return {};
  count_call("isend");
  return EmulatedCommunicator::isend(dest, pieces, tag);
}

Request FaultyCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  if (is_refused("irecv")) return {};
  count_call("irecv");
  return EmulatedCommunicator::irecv(source, pieces, tag);
}

void FaultyCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  if (is_refused("wait_all")) return;
  count_call("wait_all");
  EmulatedCommunicator::wait_all(requests, statuses);
}

void FaultyCommunicator::measure_concurrently(int n, MessageSpace space,
                                              const std::function<void(int, MeasuredCommunicator&)>& body) {
  if (is_refused("concurrently")) return;
  count_call("concurrently");
  EmulatedCommunicator::measure_concurrently(n, space, body);
}

std::unique_ptr<MeasuredCommunicator> FaultyCommunicator::split_measured(int color, int key) {
  if (is_refused("split")) return nullptr;
  count_call("split");
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return make_like(part->group, part->rank, part->context);
}

std::unique_ptr<EmulatedCommunicator> FaultyCommunicator::make_like(std::shared_ptr<const Group> its_group, int rank,
                                                                    std::uint32_t context) {
  auto made = std::make_unique<FaultyCommunicator>(host(), faults_, task(), std::move(its_group), rank, context);
  note_below(*made);
  return made;
}

void FaultyCommunicator::make_call(const char* function, const CallBody& body) {
  if (is_refused(function)) return;
  count_call(function);
  body();
}

void FaultyCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  if (is_refused("reduce_into")) return;
  count_call("reduce_into");
  EmulatedCommunicator::reduce_into(into, from, op, side);
}

void FaultyCommunicator::copy(VectorView into, ConstVectorView from) {
  if (is_refused("copy")) return;
  count_call("copy");
  EmulatedCommunicator::copy(into, from);
}

void FaultyCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  if (communicator_.is_refused("in_network()->perform")) return;
  communicator_.count_call("in_network");
  communicator_.offers_->perform(collective, arguments);
}

void FaultyCommunicator::begin_second_call() {
  faults_.end(task());
  EmulatedCommunicator::begin_second_call();
}

void FaultyCommunicator::start_line() {
  faults_.begin(task());
  EmulatedCommunicator::start_line();
}

Time FaultyCommunicator::finish_line() {
  faults_.end(task());
  return EmulatedCommunicator::finish_line();
}

}  // namespace heddle::emu
