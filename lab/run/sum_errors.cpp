// SPDX-License-Identifier: Apache-2.0
#include "lab/run/sum_errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mix.hpp"
#include "emu/data/call_layout.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/datatype.hpp"

namespace heddle {

namespace {

/// Drawn by seed, rank and element: a multiple of 2^-24 in [0, 1), of f64 of 2^-53, as the type has it.
template <class T>
T drawn(std::uint64_t seed, int rank, std::int64_t element) {
  const std::uint64_t key = mix_bits(seed * kGoldenGamma + static_cast<std::uint64_t>(rank));
  const std::uint64_t bits = mix_bits(key + static_cast<std::uint64_t>(element) * kGoldenGamma);
  if constexpr (sizeof(T) == sizeof(double))
    return static_cast<T>(std::ldexp(static_cast<double>(bits >> 11), -53));
  else
    return static_cast<T>(std::ldexp(static_cast<float>(bits >> 40), -24));
}

/// The distance from a number to the next of its type.
template <class T>
double ulp(double value) {
  constexpr int kLeast = 1 - kElementFacts<T>.bias;
  const int exponent = value == 0 ? kLeast : std::max(std::ilogb(value), kLeast);
  return std::ldexp(1.0, exponent - (kElementFacts<T>.precision - 1));
}

template <class T>
void fill(std::span<T> values, std::uint64_t seed, int rank, std::int64_t first) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = drawn<T>(seed, rank, first + static_cast<std::int64_t>(i));
}

/// Sums as exact as 64 bits of significand have them: of numbers of 24 bits or fewer exactly.
template <class T>
std::vector<long double> exact_sums(std::uint64_t seed, int ranks, std::int64_t count) {
  std::vector<long double> sums(static_cast<std::size_t>(count));
  for (int rank = 0; rank < ranks; ++rank)
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += static_cast<double>(drawn<T>(seed, rank, static_cast<std::int64_t>(i)));
  return sums;
}

/// Of some elements.
struct Errors {
  double sum = 0;
  double worst = 0;
  std::int64_t elements = 0;

  void add(double error) {
    sum += error;
    worst = std::max(worst, error);
    ++elements;
  }
};

template <class T>
SumErrors measure(const Setup& setup, const Algorithm& algorithm, std::int64_t count) {
  const int ranks = setup.ranks();
  const emu::CallLayout layout(setup.asked.collective, ranks, count, {}, Rank(setup.asked.root));
  const std::vector<long double> exact = exact_sums<T>(setup.asked.seed, ranks, count);
  std::vector<Errors> by_rank(static_cast<std::size_t>(ranks));
  EmulationSettings settings = setup.settings;
  settings.faults = {};
  settings.sinks = {};
  settings.wall = {};
  settings.byte_scale = 1;
  const auto call = [&](Communicator& comm) {
    const Rank rank = comm.rank();
    const emu::Extent in = layout.input(rank);
    const emu::Extent out = layout.output(rank);
    Buffer input(setup.type(), in.count);
    Buffer output(setup.type(), out.count);
    fill(input.view().template as<T>(), setup.asked.seed, rank.value(), in.first);
    algorithm.run(comm, {.input = input.view(),
                         .output = output.view(),
                         .op = setup.asked.op,
                         .root = layout.root(),
                         .blocks = layout.blocks(rank)});
    const std::span<const T> sums = output.view().template as<T>();
    Errors& errors = by_rank[static_cast<std::size_t>(rank.value())];
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const long double right = exact[static_cast<std::size_t>(out.first) + i];
      errors.add(static_cast<double>(std::abs(static_cast<double>(sums[i]) - right)) / ulp<T>(static_cast<double>(right)));
    }
  };
  emulate(setup.fabric, setup.placement, call, settings);
  Errors all;
  for (const Errors& errors : by_rank) {
    all.sum += errors.sum;
    all.worst = std::max(all.worst, errors.worst);
    all.elements += errors.elements;
  }
  return {.mean = all.elements == 0 ? 0 : all.sum / static_cast<double>(all.elements), .worst = all.worst};
}

}  // namespace

SumErrors measure_sum_errors(const Setup& setup, const Algorithm& algorithm) {
  const std::int64_t count = setup.sampled(algorithm, setup.shapes());
  const auto of_type = [&]<class T>(std::type_identity<T>) {
    if constexpr (kIsFloatElement<T>)
      return measure<T>(setup, algorithm, count);
    else
      return SumErrors();
  };
  return visit_element_type(setup.type(), of_type, [] { return SumErrors(); });
}

}  // namespace heddle
