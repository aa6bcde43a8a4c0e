// SPDX-License-Identifier: Apache-2.0
#include "emu/emulated_communicator.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "emu/argument_checks.hpp"
#include "emu/emulation.hpp"
#include "emu/in_network_call.hpp"
#include "emu/schedule_steps.hpp"

namespace heddle::emu {

EmulatedCommunicator::EmulatedCommunicator(Emulation& emulation, StrandId strand, std::shared_ptr<const Group> group, int rank,
                                           std::uint32_t context)
    : endpoint_{emulation, strand, rank, context, std::move(group)}, switches_(*this) {}

Request EmulatedCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  return endpoint_.isend(dest, pieces, tag);
}

Request EmulatedCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  return endpoint_.irecv(source, pieces, tag);
}

void EmulatedCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  const int receives = endpoint_.begin_wait(requests);
  if (emulation().strand(strand()).pending > 0) emulation().block(strand(), StrandState::Blocked::requests);
  endpoint_.end_wait(requests, statuses);
  if (emulation().charges_overhead())
    emulation().work(strand(), emulation().recv_overhead() * receives, WorkPost::Kind::overhead);
}

/// The engine takes the steps, but where a rank's own work takes time.
void EmulatedCommunicator::exchange(ExchangeSchedule& schedule) {
  if (!emulation().takes_steps()) return Communicator::exchange(schedule);
  const auto steps = std::make_unique<ScheduleSteps>(endpoint_, schedule);
  if (!steps->begin_next()) return;
  emulation().block(strand(), StrandState::Blocked::requests);
  steps->rethrow();
}

void EmulatedCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  if (n < 0) throw UsageError(fmt::format("concurrently({}, …): the number of strands must not be negative", n));
  if (n == 0) return;
  emulation().strand(strand()).posts.emplace_back(std::make_unique<ConcurrentlyPost>(
      ConcurrentlyPost{n, &body, endpoint_.group, endpoint_.rank, endpoint_.context, concurrently_calls_++}));
  emulation().block(strand(), StrandState::Blocked::children);
}

std::unique_ptr<Communicator> EmulatedCommunicator::split(int color, int key) {
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return std::make_unique<EmulatedCommunicator>(emulation(), strand(), part->group, part->rank, part->context);
}

std::optional<EmulatedCommunicator::Part> EmulatedCommunicator::split_part(int color, int key) {
  StrandState& state = emulation().strand(strand());
  state.split_group = nullptr;
  state.posts.emplace_back(
      std::make_unique<SplitPost>(SplitPost{endpoint_.group, endpoint_.rank, endpoint_.context, split_calls_++, color, key}));
  emulation().block(strand(), StrandState::Blocked::split);
  if (!state.split_group) return std::nullopt;
  return Part{std::move(state.split_group), state.split_rank, state.split_context};
}

void EmulatedCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  op.apply(into, from, side);
  emulation().strand(strand()).reduced = into.data();
  charge(into.size_bytes());
}

void EmulatedCommunicator::charge(std::size_t bytes) {
  const Time work = emulation().local_work(bytes);
  if (work > Time()) emulation().work(strand(), work, WorkPost::Kind::local_work);
}

MessageCost EmulatedCommunicator::message_cost() const { return endpoint_.group->message_cost; }

void EmulatedCommunicator::copy(VectorView into, ConstVectorView from) {
  require_alike(into, from);
  if (into.empty() || into.data() == from.data()) return;
  std::memcpy(into.data(), from.data(), into.size_bytes());
  charge(into.size_bytes());
}

std::string EmulatedCommunicator::Switches::why_not(Collective collective, Datatype type, std::int64_t count,
                                                    const ReduceOp* op) const {
  return communicator_.endpoint_.group->in_network->why_not(collective, type, count, op,
                                                            communicator_.emulation().payload_scale());
}

void EmulatedCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  const Datatype type = type_of(collective, arguments);
  const std::int64_t count = whole_count(collective, arguments);
  if (const std::string reason = why_not(collective, type, count, arguments.op); !reason.empty())
    throw UsageError(fmt::format("in-network {}: {}", to_string(collective), reason));
  Emulation& emulation = communicator_.emulation();
  emulation.strand(communicator_.strand())
      .posts.emplace_back(
          std::make_unique<InNetworkPost>(InNetworkPost{communicator_.endpoint_.group, communicator_.endpoint_.rank,
                                                        communicator_.endpoint_.context, calls_++, collective, &arguments}));
  emulation.block(communicator_.strand(), StrandState::Blocked::in_network);
  if (emulation.charges_overhead()) emulation.work(communicator_.strand(), emulation.recv_overhead(), WorkPost::Kind::overhead);
}

Time EmulatedCommunicator::now() const { return emulation().now(); }

std::optional<Datatype> EmulatedCommunicator::switch_precision() const { return emulation().switch_precision(); }

void EmulatedCommunicator::begin_rehearsal() { emulation().begin_rehearsal(strand()); }

void EmulatedCommunicator::fall_behind() { emulation().fall_behind(strand()); }

void EmulatedCommunicator::start_line() { emulation().start_line(strand()); }

Time EmulatedCommunicator::finish_line() { return emulation().finish_line(strand()); }

std::shared_ptr<const void> EmulatedCommunicator::shared_plan_erased(const std::string& key,
                                                                     const std::function<std::shared_ptr<const void>()>& make) {
  return emulation().shared_plan(fmt::format("{}/{}", endpoint_.group->id, key), make);
}

}  // namespace heddle::emu
