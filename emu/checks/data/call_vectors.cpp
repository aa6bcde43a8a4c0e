// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/call_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

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

void poison(VectorView vector) {
  if (!vector.empty()) std::memset(vector.data(), std::to_integer<int>(kOutputPoison), vector.size_bytes());
}

}  // namespace

CallVectors::CallVectors(std::span<const ExpectedCall> calls, bool in_place)
    : CallVectors(layouts_of(calls), calls.front().type(), in_place) {}

CallVectors::CallVectors(std::span<const CallLayout> calls, Datatype type, bool in_place)
    : in_place_(in_place), outputs_(type, most(calls, in_place ? longer_count : output_count)) {
  if (!in_place) inputs_.emplace(type, most(calls, input_count));
}

bool CallVectors::shares(Rank rank, const CallLayout& layout) const {
  return in_place_ && input_count(layout, rank) > 0 && output_count(layout, rank) > 0;
}

CallVectors::Views CallVectors::prepare(Rank rank, const ExpectedCall& call) {
  return prepare(rank, call.layout(), [&](VectorView input) { call.fill_input(input, rank); });
}

CallVectors::Views CallVectors::prepare(Rank rank, const CallLayout& layout,
                                        const std::function<void(VectorView input)>& fill_input) {
  outputs_.use(rank, in_place_ ? longer_count(layout, rank) : output_count(layout, rank));
  if (inputs_) inputs_->use(rank, input_count(layout, rank));
  const Views of_rank = views(rank, layout);
  const Extent input = layout.input(rank);
  if (!of_rank.shared) {
    poison(of_rank.output);
    fill_input(of_rank.input);
    return of_rank;
  }
  const std::int64_t end = input.first + input.count;
  poison(of_rank.output.slice(0, input.first));
  fill_input(of_rank.output.slice(input.first, input.count));
  poison(of_rank.output.slice(end, of_rank.output.count() - end));
  return of_rank;
}

CallVectors::Views CallVectors::views(Rank rank, const CallLayout& layout) const {
  const VectorView vector = outputs_.vector(rank);
  if (shares(rank, layout)) return {vector, vector, true};
  if (inputs_) return {inputs_->vector(rank), vector, false};
  const VectorView none(nullptr, 0, vector.type());  // nowhere: not the same vector as the other one
  return input_count(layout, rank) > 0 ? Views{vector, none, false} : Views{none, vector, false};
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
  return arguments;
}

}  // namespace heddle::emu
