// SPDX-License-Identifier: Apache-2.0
#include "emu/data/expected_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "emu/data/element_text.hpp"
#include "emu/engine/parallel_for.hpp"
#include "emu/record/report.hpp"
#include "heddle/datatype.hpp"

namespace heddle::emu {

namespace {

constexpr std::int64_t kExpectedChunkBytes = 8 * 1024;

/// visit(first, count) for each part of [0, count), as long as some milliseconds take, until one is not right. Whether all are.
template <class Visit>
bool in_parts(std::int64_t count, Datatype type, const StopPoint& stop_point, const Visit& visit) {
  constexpr std::int64_t kPartBytes = 4 * 1024 * 1024;
  const std::int64_t length = std::max<std::int64_t>(1, kPartBytes / static_cast<std::int64_t>(type.size()));
  for (std::int64_t first = 0; first < count; first += length) {
    if (stop_point) stop_point();
    if (!visit(first, std::min(length, count - first))) return false;
  }
  return true;
}

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

template <class Word>
void add_different(ConstVectorView part, ConstVectorView expected, std::int64_t number, std::vector<std::int64_t>& wrong) {
  const auto* const got = reinterpret_cast<const Word*>(part.data());
  const auto* const right = reinterpret_cast<const Word*>(expected.data());
  for (std::int64_t i = 0; i < part.count(); ++i)
    if (got[i] != right[i]) wrong.push_back(number + i);
}

/// Numbers of elements that differ, the first one's being `number`. Of all that a rank has they may be many.
void add_different(ConstVectorView part, ConstVectorView expected, std::int64_t number, std::vector<std::int64_t>& wrong) {
  const std::size_t size = part.type().size();
  const bool is_aligned =
      (reinterpret_cast<std::uintptr_t>(part.data()) | reinterpret_cast<std::uintptr_t>(expected.data())) % size == 0;
  if (size == 4 && is_aligned) return add_different<std::uint32_t>(part, expected, number, wrong);
  if (size == 8 && is_aligned) return add_different<std::uint64_t>(part, expected, number, wrong);
  for (std::size_t at = 0; at < part.size_bytes(); at += size, ++number)
    if (std::memcmp(part.data() + at, expected.data() + at, size) != 0) wrong.push_back(number);
}

std::string data_text(const TestData& data, Rank rank, std::int64_t element) {
  Buffer one(data.type(), 1);
  data.fill(one.view(), rank, element);
  return element_text(one.view(), 0);
}

}  // namespace

ExpectedCall::ExpectedCall(const CallLayout& layout, Datatype type, const ReduceOp& op, std::uint64_t seed, int number,
                           std::optional<Datatype> coarsest, std::optional<Datatype> rounded_to, DataValues values,
                           const StopQuestion& interrupted)
    : layout_(layout),
      data_(reduces(layout.collective()) ? TestData(type, op, layout.ranks(), seed, number, coarsest, values)
                                         : TestData(type, layout.ranks(), seed, number, values)),
      result_(make_result(op, rounded_to, interrupted)) {}

Reference ExpectedCall::make_result(const ReduceOp& op, std::optional<Datatype> rounded_to,
                                    const StopQuestion& interrupted) const {
  switch (layout_.collective()) {
    case Collective::broadcast:
    case Collective::scatter:
      return Reference(data_, layout_.root(), layout_.count(), interrupted);
    case Collective::allgather:
    case Collective::gather:
      return Reference(data_, layout_.blocks(Rank(0)), interrupted);
    case Collective::alltoall:
    case Collective::barrier:
      return Reference(data_, Rank(0), 0);
    default:
      return Reference(data_, op, layout_.count(), rounded_to, interrupted);
  }
}

void ExpectedCall::fill_input(VectorView input, Rank rank, const StopPoint& stop_point) const {
  in_parts(input.count(), input.type(), stop_point, [&](std::int64_t first, std::int64_t count) {
    data_.fill(input.slice(first, count), rank, layout_.input(rank).first + first);
    return true;
  });
}

bool ExpectedCall::is_input(ConstVectorView input, Rank rank, const StopPoint& stop_point) const {
  return in_parts(input.count(), input.type(), stop_point, [&](std::int64_t first, std::int64_t count) {
    return holds(data_, input.slice(first, count), rank, layout_.input(rank).first + first);
  });
}

bool ExpectedCall::accepts(ConstVectorView output, Rank rank, const StopPoint& stop_point) const {
  if (output.empty()) return true;
  if (layout_.collective() != Collective::alltoall)
    return in_parts(output.count(), output.type(), stop_point, [&](std::int64_t first, std::int64_t count) {
      return result_.accepts(output.slice(first, count), layout_.output(rank).first + first);
    });
  for (int source = 0; source < layout_.ranks(); ++source) {
    if (stop_point) stop_point();
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

std::vector<std::int64_t> ExpectedCall::wrong_elements(ConstVectorView part, Rank rank, std::int64_t first) const {
  std::vector<std::int64_t> wrong;
  if (layout_.collective() != Collective::alltoall) {
    const std::int64_t whole = layout_.output(rank).first + first;
    if (!result_.accepts(part, whole)) result_.add_wrong(part, whole, first, wrong);
    return wrong;
  }
  Buffer original(part.type(), part.count());
  for (std::int64_t done = 0; done < part.count();) {
    const Place place = *place_of(rank, first + done);
    const std::int64_t count = std::min(part.count() - done, layout_.received_size(rank, place.block) - place.k);
    data_.fill(original.view().slice(done, count), Rank(place.block), element_of_source(rank, place));
    done += count;
  }
  add_different(part, original.view(), first, wrong);
  return wrong;
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
  if (place.k + element.count() > layout_.received_size(rank, place.block)) return false;
  if (layout_.collective() == Collective::alltoall)
    return holds(data_, element, Rank(place.block), element_of_source(rank, place));
  return result_.accepts(element, layout_.offset(rank, place.block) + place.k);
}

bool ExpectedCall::is_sent_to(ConstVectorView element, Place place, Rank other) const {
  const Rank source(place.block);
  return place.k + element.count() <= layout_.size(source, other.value()) &&
         holds(data_, element, source, layout_.offset(source, other.value()) + place.k);
}

namespace {

/// The largest relative error of one operation whose result is rounded to nearest; 0 for types that do not round.
double unit_roundoff(Datatype type) {
  const auto of_type = []<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>)
      return std::ldexp(1.0, -kElementFacts<T>.precision);
    else
      return 0.0;
  };
  return visit_element_type(type, of_type, [] { return 0.0; });
}

/// f32 values as f16 or bf16 has them.
void round_to(VectorView values, Datatype type) {
  const auto round_all = [values]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T> && sizeof(T) < sizeof(float)) {
      for (float& value : values.as<float>()) value = static_cast<float>(static_cast<T>(value));
    }
  };
  visit_element_type(type, round_all, [] {});
}

/// Covers the roundings of the bound's own arithmetic.
constexpr double kSlack = 1.001;

double sum_tolerance(int roundings, double u, double sum_of_magnitudes) {
  return roundings * (u + 0x1p-53) * sum_of_magnitudes * kSlack;
}

double product_tolerance(int roundings, double u, double product) {
  return std::expm1(roundings * (std::log1p(u) + std::log1p(0x1p-53))) * std::abs(product) * kSlack;
}

/// The cache keeps a part of the result while all ranks' contributions to it pass by.
constexpr std::int64_t kChunkBytes = 8 * 1024;

void stop_if_asked(const StopQuestion& interrupted) {
  if (interrupted && interrupted())
    throw RunStopped(RunStopped::Reason::interrupted, "interrupted while its data was made", {});
}

/// visit(first, count) for each chunk of [0, count), several at once; each chunk is passed over `passes` times.
template <class Visit>
void for_each_chunk(std::int64_t count, Datatype type, int passes, const StopQuestion& interrupted, Visit visit) {
  const std::int64_t length = std::max<std::int64_t>(1, kChunkBytes / static_cast<std::int64_t>(type.size()));
  const std::size_t bytes = static_cast<std::size_t>(count) * type.size() * static_cast<std::size_t>(passes);
  parallel_for((count + length - 1) / length, bytes, [&](std::int64_t chunk) {
    stop_if_asked(interrupted);
    visit(chunk * length, std::min(length, count - chunk * length));
  });
}

}  // namespace

bool rounds(Datatype type, const ReduceOp& op) {
  return type.is_floating() && (&op == &ReduceOp::sum() || &op == &ReduceOp::prod());
}

Reference::Reference(const TestData& data, const ReduceOp& op, std::int64_t count, std::optional<Datatype> rounded_to,
                     const StopQuestion& interrupted)
    : expected_(data.type(), rounds(data.type(), op) ? 0 : count) {
  if (!rounds(data.type(), op)) {
    fold_exactly(data, op, interrupted);
    if (rounded_to) round_to(expected_.view(), *rounded_to);
    return;
  }
  value_.resize(static_cast<std::size_t>(count));
  tolerance_.resize(static_cast<std::size_t>(count));
  const auto fold = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>) fold_rounded<T>(data, op, rounded_to, interrupted);
  };
  visit_element_type(data.type(), fold, [] {});
}

Reference::Reference(const TestData& data, Rank source, std::int64_t count, const StopQuestion& interrupted)
    : expected_(data.type(), count) {
  for_each_chunk(count, data.type(), 1, interrupted, [&](std::int64_t first, std::int64_t length) {
    data.fill(expected_.view().slice(first, length), source, first);
  });
}

Reference::Reference(const TestData& data, const BlockPartition& blocks, const StopQuestion& interrupted)
    : expected_(data.type(), blocks.count()) {
  parallel_for(blocks.blocks(), expected_.view().size_bytes(), [&](std::int64_t b) {
    stop_if_asked(interrupted);
    data.fill(blocks.block(expected_.view(), b), Rank(static_cast<int>(b)), blocks.offset(b));
  });
}

void Reference::fold_exactly(const TestData& data, const ReduceOp& op, const StopQuestion& interrupted) {
  const VectorView result = expected_.view();
  for_each_chunk(result.count(), result.type(), data.ranks(), interrupted, [&](std::int64_t first, std::int64_t count) {
    const VectorView chunk = result.slice(first, count);
    Buffer contribution(chunk.type(), count);
    data.fill(chunk, Rank(0), first);
    for (int r = 1; r < data.ranks(); ++r) {
      data.fill(contribution.view(), Rank(r), first);
      op.apply(chunk, contribution.view(), Side::right);
    }
  });
}

template <class T>
void Reference::fold_rounded(const TestData& data, const ReduceOp& op, std::optional<Datatype> rounded_to,
                             const StopQuestion& interrupted) {
  const bool product = &op == &ReduceOp::prod();
  const double u = unit_roundoff(rounded_to.value_or(data.type()));
  std::fill(value_.begin(), value_.end(), product ? 1.0 : 0.0);
  for_each_chunk(static_cast<std::int64_t>(value_.size()), Datatype::f64(), data.ranks(), interrupted,
                 [&](std::int64_t first, std::int64_t count) {
                   Buffer contribution(data.type(), count);
                   const std::span<const T> x = contribution.view().template as<T>();
                   double* value = value_.data() + first;
                   double* magnitude = tolerance_.data() + first;
                   for (int r = 0; r < data.ranks(); ++r) {
                     data.fill(contribution.view(), Rank(r), first);
                     for (std::size_t i = 0; i < x.size(); ++i) {
                       const auto term = static_cast<double>(x[i]);
                       value[i] = product ? value[i] * term : value[i] + term;
                       magnitude[i] += std::abs(term);
                     }
                   }
                   for (std::int64_t i = 0; i < count; ++i) {
                     const int roundings = rounded_to ? data.coarse_roundings(first + i) : data.rounding_operations(first + i);
                     magnitude[i] =
                         product ? product_tolerance(roundings, u, value[i]) : sum_tolerance(roundings, u, magnitude[i]);
                   }
                 });
}

bool Reference::accepts(ConstVectorView part, std::int64_t first) const {
  if (value_.empty()) {
    return part.empty() || std::memcmp(part.data(), expected_.view().slice(first, part.count()).data(), part.size_bytes()) == 0;
  }
  const auto is_within = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>)
      return within<T>(part, first);
    else
      return false;  // what does not round has no values
  };
  return visit_element_type(part.type(), is_within, [] { return false; });
}

template <class T>
bool Reference::within(ConstVectorView part, std::int64_t first) const {
  const std::span<const T> result = part.as<T>();
  const double* value = value_.data() + first;
  const double* tolerance = tolerance_.data() + first;
  bool all = true;
  // "At most" is false for a NaN. No early exit: right results are the rule, and the loop vectorises.
  for (std::size_t i = 0; i < result.size(); ++i) all &= std::abs(static_cast<double>(result[i]) - value[i]) <= tolerance[i];
  return all;
}

void Reference::add_wrong(ConstVectorView part, std::int64_t first, std::int64_t number,
                          std::vector<std::int64_t>& wrong) const {
  if (value_.empty()) return add_different(part, expected_.view().slice(first, part.count()), number, wrong);
  for (std::int64_t i = 0; i < part.count(); ++i)
    if (!accepts(part.slice(i, 1), first + i)) wrong.push_back(number + i);
}

bool Reference::copy_exact(std::int64_t element, VectorView into) const {
  const auto i = static_cast<std::size_t>(element);
  if (value_.empty()) {
    std::memcpy(into.data(), expected_.view().slice(element, 1).data(), into.size_bytes());
    return true;
  }
  if (tolerance_[i] != 0) return false;
  const auto copy = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T> && sizeof(T) < sizeof(float))
      into.as<T>()[0] = static_cast<T>(static_cast<float>(value_[i]));
    else if constexpr (kIsFloatElement<T>)
      into.as<T>()[0] = static_cast<T>(value_[i]);
  };
  visit_element_type(into.type(), copy, [] {});
  return true;
}

std::string Reference::describe(std::int64_t element) const {
  if (value_.empty()) return element_text(expected_.view(), element);
  const auto i = static_cast<std::size_t>(element);
  return tolerance_[i] == 0 ? fmt::to_string(value_[i]) : fmt::format("{} ± {:.2g}", value_[i], tolerance_[i]);
}

}  // namespace heddle::emu
