// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "core/element_types.hpp"
#include "emu/checks/data/element_text.hpp"
#include "emu/work/parallel_for.hpp"

namespace heddle::emu {

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

/// visit(first, count) for each chunk of [0, count), several at once; each chunk is passed over `passes` times.
template <class Visit>
void for_each_chunk(std::int64_t count, Datatype type, int passes, Visit visit) {
  const std::int64_t length = std::max<std::int64_t>(1, kChunkBytes / static_cast<std::int64_t>(type.size()));
  const std::size_t bytes = static_cast<std::size_t>(count) * type.size() * static_cast<std::size_t>(passes);
  parallel_for((count + length - 1) / length, bytes,
               [&](std::int64_t chunk) { visit(chunk * length, std::min(length, count - chunk * length)); });
}

}  // namespace

bool rounds(Datatype type, const ReduceOp& op) {
  return type.is_floating() && (&op == &ReduceOp::sum() || &op == &ReduceOp::prod());
}

Reference::Reference(const TestData& data, const ReduceOp& op, std::int64_t count, std::optional<Datatype> rounded_to)
    : expected_(data.type(), rounds(data.type(), op) ? 0 : count) {
  if (!rounds(data.type(), op)) {
    fold_exactly(data, op);
    if (rounded_to) round_to(expected_.view(), *rounded_to);
    return;
  }
  value_.resize(static_cast<std::size_t>(count));
  tolerance_.resize(static_cast<std::size_t>(count));
  const auto fold = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>) fold_rounded<T>(data, op, rounded_to);
  };
  visit_element_type(data.type(), fold, [] {});
}

Reference::Reference(const TestData& data, Rank source, std::int64_t count) : expected_(data.type(), count) {
  for_each_chunk(count, data.type(), 1, [&](std::int64_t first, std::int64_t length) {
    data.fill(expected_.view().slice(first, length), source, first);
  });
}

Reference::Reference(const TestData& data, const BlockPartition& blocks) : expected_(data.type(), blocks.count()) {
  parallel_for(blocks.blocks(), expected_.view().size_bytes(), [&](std::int64_t b) {
    data.fill(blocks.block(expected_.view(), b), Rank(static_cast<int>(b)), blocks.offset(b));
  });
}

void Reference::fold_exactly(const TestData& data, const ReduceOp& op) {
  const VectorView result = expected_.view();
  for_each_chunk(result.count(), result.type(), data.ranks(), [&](std::int64_t first, std::int64_t count) {
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
void Reference::fold_rounded(const TestData& data, const ReduceOp& op, std::optional<Datatype> rounded_to) {
  const bool product = &op == &ReduceOp::prod();
  const double u = unit_roundoff(rounded_to.value_or(data.type()));
  std::fill(value_.begin(), value_.end(), product ? 1.0 : 0.0);
  for_each_chunk(
      static_cast<std::int64_t>(value_.size()), Datatype::f64(), data.ranks(), [&](std::int64_t first, std::int64_t count) {
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
          magnitude[i] = product ? product_tolerance(roundings, u, value[i]) : sum_tolerance(roundings, u, magnitude[i]);
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
