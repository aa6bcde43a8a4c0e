// SPDX-License-Identifier: Apache-2.0
#include "emu/data/call_vectors.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "emu/engine/parallel_for.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

namespace {

/// Per rank, the most that `elements(layout, rank)` is over all calls.
template <class Elements>
std::vector<std::int64_t> most(std::span<const CallLayout> calls, Elements elements) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(calls.front().ranks()));
  for (const CallLayout& layout : calls) {
    for (std::size_t r = 0; r < counts.size(); ++r)
      counts[r] = std::max(counts[r], elements(layout, Rank(static_cast<int>(r))));
  }
  return counts;
}

std::vector<CallLayout> layouts_of(std::span<const ExpectedCall> calls) {
  std::vector<CallLayout> layouts;
  for (const ExpectedCall& call : calls) layouts.push_back(call.layout());
  return layouts;
}

std::int64_t input_count(const CallLayout& layout, Rank rank) { return layout.input(rank).count; }
std::int64_t output_count(const CallLayout& layout, Rank rank) { return layout.output(rank).count; }
std::int64_t longer_count(const CallLayout& layout, Rank rank) {
  return std::max(input_count(layout, rank), output_count(layout, rank));
}

void poison(VectorView vector, const StopPoint& stop_point) {
  constexpr std::size_t kPart = std::size_t{4} << 20;
  for (std::size_t first = 0; first < vector.size_bytes(); first += kPart) {
    if (stop_point) stop_point();
    std::memset(vector.data() + first, std::to_integer<int>(kOutputPoison), std::min(kPart, vector.size_bytes() - first));
  }
}

}  // namespace

CallVectors::CallVectors(std::span<const ExpectedCall> calls, bool in_place)
    : CallVectors(layouts_of(calls), calls.front().type(), in_place) {}

CallVectors::CallVectors(std::span<const CallLayout> calls, Datatype type, bool in_place)
    : in_place_(in_place), outputs_(type, most(calls, in_place ? longer_count : output_count), calls.size() > 1) {
  if (!in_place) inputs_.emplace(type, most(calls, input_count), calls.size() > 1);
  memory_ = inputs_ ? std::make_shared<std::pair<std::shared_ptr<std::byte>, std::shared_ptr<std::byte>>>(outputs_.memory(),
                                                                                                          inputs_->memory())
                    : std::shared_ptr<const void>(outputs_.memory());
}

bool CallVectors::shares(Rank rank, const CallLayout& layout) const {
  return in_place_ && input_count(layout, rank) > 0 && output_count(layout, rank) > 0;
}

CallVectors::Views CallVectors::prepare(Rank rank, const ExpectedCall& call, const StopPoint& stop_point) {
  const auto fill = [&](VectorView input) { call.fill_input(input, rank, stop_point); };
  return prepare(rank, call.layout(), std::ref(fill), stop_point);  // which asks for no memory, as a copy would
}

CallVectors::Views CallVectors::prepare(Rank rank, const CallLayout& layout,
                                        const std::function<void(VectorView input)>& fill_input, const StopPoint& stop_point) {
  outputs_.use(rank, in_place_ ? longer_count(layout, rank) : output_count(layout, rank));
  if (inputs_) inputs_->use(rank, input_count(layout, rank));
  const Views of_rank = views(rank, layout);
  const Extent input = layout.input(rank);
  if (!of_rank.shared) {
    poison(of_rank.output, stop_point);
    fill_input(of_rank.input);
    return of_rank;
  }
  const std::int64_t end = input.first + input.count;
  poison(of_rank.output.slice(0, input.first), stop_point);
  fill_input(of_rank.output.slice(input.first, input.count));
  poison(of_rank.output.slice(end, of_rank.output.count() - end), stop_point);
  return of_rank;
}

CallVectors::Views CallVectors::views(Rank rank, const CallLayout& layout) const {
  const VectorView vector = outputs_.vector(rank);
  if (shares(rank, layout)) return {vector, vector, true, memory_};
  if (inputs_) return {inputs_->vector(rank), vector, false, memory_};
  const VectorView none(nullptr, 0, vector.type());  // nowhere: not the same vector as the other one
  return input_count(layout, rank) > 0 ? Views{vector, none, false, memory_} : Views{none, vector, false, memory_};
}

VectorView CallVectors::output_of(Rank rank, const CallLayout& layout, const Views& views) {
  const Extent place = layout.output(rank);
  return views.shared ? views.output.slice(place.first, place.count) : views.output;
}

VectorArena::Guards CallVectors::input_guards(Rank rank) const {
  if (!inputs_) return {.before_intact = true, .after_intact = true};
  return inputs_->guards(rank);
}

void CallVectors::restore_guards(Rank rank) {
  outputs_.restore_guards(rank);
  if (inputs_) inputs_->restore_guards(rank);
}

CollectiveArguments arguments_of(Rank rank, const CallLayout& layout, const CallVectors::Views& views, const ReduceOp* op) {
  CollectiveArguments arguments{.input = views.input, .output = views.output, .op = op, .root = layout.root()};
  if (has_blocks(layout.collective())) arguments.blocks = layout.blocks(rank);
  if (layout.collective() == Collective::alltoall) arguments.received = layout.received(rank);
  arguments.memory = views.memory;
  return arguments;
}

namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and more than any element needs
constexpr std::size_t kGuard = 64;
// Places that a vector has in turns: neither the next call nor the fifth, which is as the first, has it where it was.
constexpr std::uint32_t kPlaces = 3;
constexpr std::byte kGuardByte{0xC5};
constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Whether its first byte is what it was, and each other one what the one before it is.
bool is_intact(std::span<const std::byte> guard) {
  return guard[0] == kGuardByte && std::memcmp(guard.data(), guard.data() + 1, guard.size() - 1) == 0;
}

}  // namespace

VectorArena::VectorArena(int ranks, Datatype type, std::int64_t count)
    : VectorArena(type, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), count)) {}

VectorArena::VectorArena(Datatype type, std::span<const std::int64_t> capacities, bool moves) : type_(type), moves_(moves) {
  std::size_t bytes = 0;
  for (const std::int64_t capacity : capacities) {
    slots_.push_back({bytes, capacity});
    bytes +=
        round_up(kGuard + static_cast<std::size_t>(capacity) * type.size() + kGuard + (moves ? (kPlaces - 1) * kAlignment : 0),
                 kAlignment);
  }
  slots_.push_back({bytes, 0});
  if (bytes >= kHugePage) bytes = round_up(bytes, kHugePage);
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(bytes >= kHugePage ? kHugePage : kAlignment, bytes)), std::free);
  if (!memory_) {
    throw ResourceError(fmt::format("no memory for the vectors of {} ranks, {} altogether; hold less of them (--data-memory)",
                                    capacities.size(), to_string(Bytes(static_cast<std::int64_t>(bytes)))));
  }
  // A hint: a quarter of a million page faults cost more than the checks.
  if (bytes >= kHugePage) madvise(memory_.get(), bytes, MADV_HUGEPAGE);
  // The first touch of a page costs the system more than all that is written to it later.
  parallel_for(static_cast<std::int64_t>(capacities.size()), bytes,
               [this](std::int64_t r) { restore_guards(Rank(static_cast<int>(r))); });
}

void VectorArena::use(Rank rank, std::int64_t count) {
  Slot& own = slots_[static_cast<std::size_t>(rank.value())];
  const std::size_t before = moved(rank);
  ++own.uses;
  if (own.count == count && moved(rank) == before) return;
  own.count = count;
  restore_guards(rank);
}

std::size_t VectorArena::moved(Rank rank) const {
  const std::uint32_t uses = slot(rank).uses;
  return moves_ && uses > 0 ? (uses - 1) % kPlaces * kAlignment : 0;
}

VectorView VectorArena::vector(Rank rank) const { return {memory_of(rank) + kGuard + moved(rank), slot(rank).count, type_}; }

VectorArena::Guards VectorArena::guards(Rank rank) const {
  return {.before_intact = is_intact(guard_before(rank)), .after_intact = is_intact(guard_after(rank))};
}

void VectorArena::restore_guards(Rank rank) {
  for (const std::span<std::byte> guard : {guard_before(rank), guard_after(rank)})
    std::memset(guard.data(), std::to_integer<int>(kGuardByte), guard.size());
}

std::span<std::byte> VectorArena::guard_before(Rank rank) const { return {memory_of(rank), kGuard + moved(rank)}; }

std::span<std::byte> VectorArena::guard_after(Rank rank) const {
  const VectorView own = vector(rank);
  return {own.data() + own.size_bytes(), memory_of(Rank(rank.value() + 1))};
}

}  // namespace heddle::emu
