// SPDX-License-Identifier: Apache-2.0
#include "emu/emulated_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "emu/argument_checks.hpp"
#include "emu/emulation.hpp"
#include "emu/in_network_call.hpp"

namespace heddle::emu {

namespace {

/// What a receive buffer shows to those who read it too early.
constexpr int kPoison = 0xA5;

constexpr Request handle(StrandId strand, std::uint32_t slot, std::uint32_t generation) {
  // 24 bits of strand, 20 of slot, 20 of generation: enough to tell a stale handle from a live one.
  return Request(std::uint64_t{strand} << 40 | std::uint64_t{slot & 0xfffff} << 20 | (generation & 0xfffff));
}

}  // namespace

EmulatedCommunicator::EmulatedCommunicator(Emulation& emulation, StrandId strand, std::shared_ptr<const Group> group, int rank,
                                           std::uint32_t context)
    : emulation_(emulation), strand_(strand), group_(std::move(group)), rank_(rank), context_(context), switches_(*this) {}

ChannelKey EmulatedCommunicator::channel_key(Rank source, Rank dest, Tag tag) const {
  return {context_, source.value(), dest.value(), tag.value()};
}

Request EmulatedCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  require_rank(dest, size(), "isend to rank");
  const std::int64_t count = elements_of(pieces, "isend");
  StrandState& strand = emulation_.strand(strand_);
  const std::uint32_t index = emulation_.take_slot(strand);
  RequestSlot& slot = strand.slots[index];
  slot.state = RequestSlot::State::pending;
  slot.is_send = true;
  slot.awaited = false;
  ++slot.generation;
  const ChannelKey key = channel_key(rank(), dest, tag);
  slot.key = key;
  slot.count = count;

  auto posted = strand.spare_message ? std::move(strand.spare_message) : std::make_unique<Message>();
  Message& message = *posted;
  message.key = key;
  message.source = strand.rank;
  message.dest = slot.peer = group_->members[static_cast<std::size_t>(dest.value())];
  message.sender = strand_;
  message.sender_slot = index;
  message.payload.assign(pieces);
  message.from = Pieces<ConstVectorView>(pieces);
  slot.type = message.type();
  message.count = slot.count;
  message.wire_bytes = emulation_.wire_bytes(message.payload.size());
  message.round = message.source == message.dest ? strand.round : strand.round + 1;
  message.drained = false;
  message.contention_free = strand.contention_free;
  message.rehearsal = strand.rehearsal;
  slot.status = {dest, tag, message.count};
  strand.posts.emplace_back(SendPost{std::move(posted)});
  return handle(strand_, index, slot.generation);
}

Request EmulatedCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  if (source != kAnySource) require_rank(source, size(), "irecv from rank");
  const std::int64_t count = elements_of(pieces, "irecv");
  StrandState& strand = emulation_.strand(strand_);
  const std::uint32_t index = emulation_.take_slot(strand);
  RequestSlot& slot = strand.slots[index];
  slot.state = RequestSlot::State::pending;
  slot.is_send = false;
  slot.awaited = false;
  ++slot.generation;
  slot.key = channel_key(source, rank(), tag);
  slot.peer = source == kAnySource ? -1 : group_->members[static_cast<std::size_t>(source.value())];
  slot.contention_free = strand.contention_free;
  slot.into = Pieces<VectorView>(pieces);
  slot.type = slot.into.type();
  slot.count = count;
  if (!pieces.empty() && !pieces[0].empty()) {
    const std::size_t bytes = std::min(slot.hidden.size(), pieces[0].size_bytes());
    std::memcpy(slot.hidden.data(), pieces[0].data(), bytes);
    std::memset(pieces[0].data(), kPoison, bytes);
  }
  strand.posts.emplace_back(ReceivePost{index});
  return handle(strand_, index, slot.generation);
}

void EmulatedCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  StrandState& strand = emulation_.strand(strand_);
  const auto index_of = [](Request request) { return static_cast<std::uint32_t>(request.id() >> 20 & 0xfffff); };
  const auto can_be_awaited = [&](Request request) {
    if (request.id() >> 40 != strand_ || index_of(request) >= strand.slots.size()) return false;
    const RequestSlot& slot = strand.slots[index_of(request)];
    return slot.state != RequestSlot::State::free && (slot.generation & 0xfffff) == (request.id() & 0xfffff) && !slot.awaited;
  };
  strand.pending = 0;
  int receives = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!can_be_awaited(requests[i])) {
      for (const Request before : requests.first(i)) strand.slots[index_of(before)].awaited = false;
      throw UsageError("wait for a request that this strand has not posted, or has waited for already");
    }
    RequestSlot& slot = strand.slots[index_of(requests[i])];
    slot.awaited = true;
    if (slot.state == RequestSlot::State::pending) ++strand.pending;
    if (!slot.is_send) ++receives;
  }
  if (strand.pending > 0) emulation_.block(strand_, StrandState::Blocked::requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint32_t index = index_of(requests[i]);
    RequestSlot& slot = strand.slots[index];
    strand.round = std::max(strand.round, slot.round);
    strand.contention_free = std::max(strand.contention_free, slot.contention_free);
    if (i < statuses.size()) statuses[i] = slot.status;
    slot.state = RequestSlot::State::free;
    slot.awaited = false;
  }
  // The first is taken first again: a slot stays what it was, a send's or a receive's, and less memory is touched.
  for (std::size_t i = requests.size(); i-- > 0;) {
    const std::uint32_t index = index_of(requests[i]);
    strand.slots[index].next_free = std::exchange(strand.free_slot, index);
  }
  if (emulation_.charges_overhead()) emulation_.work(strand_, emulation_.recv_overhead() * receives, WorkPost::Kind::overhead);
}

void EmulatedCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  if (n < 0) throw UsageError(fmt::format("concurrently({}, …): the number of strands must not be negative", n));
  if (n == 0) return;
  emulation_.strand(strand_).posts.emplace_back(
      std::make_unique<ConcurrentlyPost>(ConcurrentlyPost{n, &body, group_, rank_, context_, concurrently_calls_++}));
  emulation_.block(strand_, StrandState::Blocked::children);
}

std::unique_ptr<Communicator> EmulatedCommunicator::split(int color, int key) {
  const std::optional<Part> part = split_part(color, key);
  if (!part) return nullptr;
  return std::make_unique<EmulatedCommunicator>(emulation_, strand_, part->group, part->rank, part->context);
}

std::optional<EmulatedCommunicator::Part> EmulatedCommunicator::split_part(int color, int key) {
  StrandState& strand = emulation_.strand(strand_);
  strand.split_group = nullptr;
  strand.posts.emplace_back(std::make_unique<SplitPost>(SplitPost{group_, rank_, context_, split_calls_++, color, key}));
  emulation_.block(strand_, StrandState::Blocked::split);
  if (!strand.split_group) return std::nullopt;
  return Part{std::move(strand.split_group), strand.split_rank, strand.split_context};
}

void EmulatedCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  op.apply(into, from, side);
  emulation_.strand(strand_).reduced = into.data();
  charge(into.size_bytes());
}

void EmulatedCommunicator::charge(std::size_t bytes) {
  const Time work = emulation_.local_work(bytes);
  if (work > Time()) emulation_.work(strand_, work, WorkPost::Kind::local_work);
}

MessageCost EmulatedCommunicator::message_cost() const { return group_->message_cost; }

void EmulatedCommunicator::copy(VectorView into, ConstVectorView from) {
  require_alike(into, from);
  if (into.empty() || into.data() == from.data()) return;
  std::memcpy(into.data(), from.data(), into.size_bytes());
  charge(into.size_bytes());
}

std::string EmulatedCommunicator::Switches::why_not(Collective collective, Datatype type, std::int64_t count,
                                                    const ReduceOp* op) const {
  return communicator_.group_->in_network->why_not(collective, type, count, op, communicator_.emulation_.payload_scale());
}

void EmulatedCommunicator::Switches::perform(Collective collective, const CollectiveArguments& arguments) {
  const Datatype type = type_of(collective, arguments);
  const std::int64_t count = whole_count(collective, arguments);
  if (const std::string reason = why_not(collective, type, count, arguments.op); !reason.empty())
    throw UsageError(fmt::format("in-network {}: {}", to_string(collective), reason));
  Emulation& emulation = communicator_.emulation_;
  emulation.strand(communicator_.strand_)
      .posts.emplace_back(std::make_unique<InNetworkPost>(
          InNetworkPost{communicator_.group_, communicator_.rank_, communicator_.context_, calls_++, collective, &arguments}));
  emulation.block(communicator_.strand_, StrandState::Blocked::in_network);
  if (emulation.charges_overhead()) emulation.work(communicator_.strand_, emulation.recv_overhead(), WorkPost::Kind::overhead);
}

Time EmulatedCommunicator::now() const { return emulation_.now(); }

std::optional<Datatype> EmulatedCommunicator::switch_precision() const { return emulation_.switch_precision(); }

void EmulatedCommunicator::begin_rehearsal() { emulation_.begin_rehearsal(strand_); }

void EmulatedCommunicator::fall_behind() { emulation_.fall_behind(strand_); }

void EmulatedCommunicator::start_line() { emulation_.start_line(strand_); }

Time EmulatedCommunicator::finish_line() { return emulation_.finish_line(strand_); }

std::shared_ptr<const void> EmulatedCommunicator::shared_plan_erased(const std::string& key,
                                                                     const std::function<std::shared_ptr<const void>()>& make) {
  return emulation_.shared_plan(fmt::format("{}/{}", group_->id, key), make);
}

}  // namespace heddle::emu
