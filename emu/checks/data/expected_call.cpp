// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/expected_call.hpp"

#include <algorithm>
#include <cstring>

#include "emu/checks/data/element_text.hpp"

namespace heddle::emu {

namespace {

constexpr std::int64_t kExpectedChunkBytes = 8 * 1024;

/// Whether `part` is elements first … of this rank's data.
bool holds(const TestData& data, ConstVectorView part, Rank rank, std::int64_t first) {
  const std::int64_t length = std::max<std::int64_t>(1, kExpectedChunkBytes / static_cast<std::int64_t>(part.type().size()));
  Buffer original(part.type(), std::min(length, part.count()));
  for (std::int64_t done = 0; done < part.count(); done += length) {
    const std::int64_t count = std::min(length, part.count() - done);
    const VectorView chunk = original.view().slice(0, count);
    data.fill(chunk, rank, first + done);
    if (std::memcmp(part.slice(done, count).data(), chunk.data(), chunk.size_bytes()) != 0) return false;
  }
  return true;
}

std::string data_text(const TestData& data, Rank rank, std::int64_t element) {
  Buffer one(data.type(), 1);
  data.fill(one.view(), rank, element);
  return element_text(one.view(), 0);
}

}  // namespace

ExpectedCall::ExpectedCall(const CallLayout& layout, Datatype type, const ReduceOp& op, std::uint64_t seed, int number,
                           std::optional<Datatype> coarsest, std::optional<Datatype> rounded_to, DataValues values)
    : layout_(layout),
      data_(reduces(layout.collective()) ? TestData(type, op, layout.ranks(), seed, number, coarsest, values)
                                         : TestData(type, layout.ranks(), seed, number, values)),
      result_(make_result(op, rounded_to)) {}

Reference ExpectedCall::make_result(const ReduceOp& op, std::optional<Datatype> rounded_to) const {
  switch (layout_.collective()) {
    case Collective::broadcast:
    case Collective::scatter:
      return Reference(data_, layout_.root(), layout_.count());
    case Collective::allgather:
    case Collective::gather:
      return Reference(data_, layout_.blocks(Rank(0)));
    case Collective::alltoall:
    case Collective::barrier:
      return Reference(data_, Rank(0), 0);
    default:
      return Reference(data_, op, layout_.count(), rounded_to);
  }
}

void ExpectedCall::fill_input(VectorView input, Rank rank) const { data_.fill(input, rank, layout_.input(rank).first); }

bool ExpectedCall::is_input(ConstVectorView input, Rank rank) const {
  return input.empty() || holds(data_, input, rank, layout_.input(rank).first);
}

bool ExpectedCall::accepts(ConstVectorView output, Rank rank) const {
  if (output.empty()) return true;
  if (layout_.collective() != Collective::alltoall) return result_.accepts(output, layout_.output(rank).first);
  for (int source = 0; source < layout_.ranks(); ++source) {
    const ConstVectorView block = output.slice(layout_.received_offset(rank, source), layout_.received_size(rank, source));
    if (!holds(data_, block, Rank(source), layout_.offset(Rank(source), rank.value()))) return false;
  }
  return true;
}

std::string ExpectedCall::describe_input(Rank rank, std::int64_t i) const {
  return data_text(data_, rank, layout_.input(rank).first + i);
}

bool ExpectedCall::is_input_element(ConstVectorView element, Rank rank, std::int64_t i) const {
  return holds(data_, element, rank, layout_.input(rank).first + i);
}

std::string ExpectedCall::describe_output(Rank rank, std::int64_t i) const {
  if (layout_.collective() != Collective::alltoall) return result_.describe(layout_.output(rank).first + i);
  const Place place = *place_of(rank, i);
  return data_text(data_, Rank(place.block), element_of_source(rank, place));
}

std::optional<Buffer> ExpectedCall::exact_output(Rank rank, std::int64_t i) const {
  Buffer element(type(), 1);
  if (layout_.collective() == Collective::alltoall) {
    const Place place = *place_of(rank, i);
    data_.fill(element.view(), Rank(place.block), element_of_source(rank, place));
  } else if (!result_.copy_exact(layout_.output(rank).first + i, element.view())) {
    return std::nullopt;
  }
  return element;
}

std::optional<Buffer> ExpectedCall::own_contribution(Rank rank, std::int64_t i) const {
  const Extent own = layout_.input(rank);
  const std::int64_t whole = layout_.output(rank).first + i;
  if (whole < own.first || whole >= own.first + own.count) return std::nullopt;
  Buffer element(type(), 1);
  data_.fill(element.view(), rank, whole);
  return element;
}

bool ExpectedCall::accepts_element(ConstVectorView element, Rank rank, std::int64_t i) const {
  if (layout_.collective() != Collective::alltoall) return result_.accepts(element, layout_.output(rank).first + i);
  return is_of_block(element, rank, *place_of(rank, i));
}

bool ExpectedCall::is_own_contribution(ConstVectorView element, Rank rank, std::int64_t i) const {
  const Extent own = layout_.input(rank);
  const std::int64_t whole = layout_.output(rank).first + i;
  return whole >= own.first && whole < own.first + own.count && holds(data_, element, rank, whole);
}

bool ExpectedCall::would_be_right(ConstVectorView element, Rank rank, const CallLayout& of, std::int64_t i) const {
  if (layout_.collective() == Collective::alltoall) return accepts_element(element, rank, i);
  return result_.accepts(element, of.output(rank).first + i);
}

std::optional<ExpectedCall::Place> ExpectedCall::place_of(Rank rank, std::int64_t i) const {
  if (!has_blocks(layout_.collective())) return std::nullopt;
  const std::int64_t whole = layout_.output(rank).first + i;
  const int block = layout_.block_at(rank, whole);
  return Place{block, whole - layout_.received_offset(rank, block)};
}

bool ExpectedCall::is_of_block(ConstVectorView element, Rank rank, Place place) const {
  if (place.k >= layout_.received_size(rank, place.block)) return false;
  if (layout_.collective() == Collective::alltoall)
    return holds(data_, element, Rank(place.block), element_of_source(rank, place));
  return result_.accepts(element, layout_.offset(rank, place.block) + place.k);
}

bool ExpectedCall::is_sent_to(ConstVectorView element, Place place, Rank other) const {
  const Rank source(place.block);
  return place.k < layout_.size(source, other.value()) &&
         holds(data_, element, source, layout_.offset(source, other.value()) + place.k);
}

}  // namespace heddle::emu
