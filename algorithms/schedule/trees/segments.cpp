// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/trees/segments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "algorithms/registry/registry.hpp"

namespace heddle::schedule {

namespace {

/// Bytes that a link carries during a start-up, where nothing is known: about 1 µs at 64 GB/s.
constexpr double kUsualBytesPerLatency = 65536;
constexpr std::int64_t kMostGiven = 1 << 20;

}  // namespace

std::int64_t optimal_segments(int steps, std::int64_t bytes, const MessageCost& cost) {
  const bool known = cost.latency > 0 || cost.seconds_per_byte > 0;
  const double latency = known ? cost.latency : kUsualBytesPerLatency;
  const double transfer = static_cast<double>(bytes) * (known ? cost.seconds_per_byte : 1);
  const double work = std::max(steps - 1, 0) * transfer;
  if (work >= latency * static_cast<double>(kMostSegments) * static_cast<double>(kMostSegments))
    return work > 0 ? kMostSegments : 1;
  return std::max<std::int64_t>(1, std::llround(std::sqrt(work / latency)));
}

std::vector<std::string> segments_to_try(std::int64_t optimal, std::int64_t count) {
  constexpr std::int64_t kFactor = 8;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 1; number <= std::min(count, kMostSegments) && number <= optimal * kFactor; number *= 2)
    if (number * kFactor >= optimal) numbers.push_back(number);
  const auto distance = [optimal](std::int64_t number) {
    return std::abs(std::log2(static_cast<double>(number) / static_cast<double>(optimal)));
  };
  std::ranges::stable_sort(numbers, {}, distance);
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

Parameter Segments::parameter(std::function<std::int64_t(const Shape&)> optimal) {
  return {.name = "segments",
          .default_value = "optimal",
          .meaning = "how many pieces follow each other: a number, or optimal: √((L-1)·M·β/α) for L steps",
          .examples = {"1", "5"},
          .candidates = [optimal = std::move(optimal)](const Shape& shape) {
            return segments_to_try(optimal(shape), shape.count);
          }};
}

Segments::Segments(const Options& options)
    : number_(options.text("segments") == "optimal" ? 0 : options.number("segments", 1, kMostGiven)) {}

}  // namespace heddle::schedule
