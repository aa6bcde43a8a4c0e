// SPDX-License-Identifier: Apache-2.0
// How finely a pipeline is cut. A schedule of L steps, run on P segments of a vector of M bytes, takes
//
//   (L + P - 1) · (α + M·β/P), least at P* = √((L-1)·M·β/α).
//
// Source: explainer 01 (Lu) App. C.3.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/registry/options.hpp"
#include "core/communicator.hpp"
#include "core/message_cost.hpp"
#include "core/vector_view.hpp"

namespace heddle::schedule {

/// P*, to the nearest whole number from 1 to kMostSegments. Where no cost is known, α is taken to be the time of 64 KiB.
std::int64_t optimal_segments(int steps, std::int64_t bytes, const MessageCost& cost);

/// Where start-ups cost (almost) nothing, P* would be one byte each.
inline constexpr std::int64_t kMostSegments = 4096;

/// Powers of two within a factor of 8 of `optimal`, the nearest first: P* is the best number where messages share no links. At
/// most `count`, beyond which there is nothing to cut.
std::vector<std::string> segments_to_try(std::int64_t optimal, std::int64_t count);

/// A given number or P*. A value.
class Segments {
 public:
  /// P*.
  constexpr Segments() = default;
  constexpr explicit Segments(std::int64_t number) : number_(number) {}
  /// The value of an option declared as `parameter()`.
  explicit Segments(const Options& options);
  /// The option "segments" of a row. `optimal` says P* on a shape, near which tuning tries others.
  static Parameter parameter(std::function<std::int64_t(const Shape&)> optimal);

  /// For a pipeline of `steps` steps over `bytes`.
  std::int64_t wanted(int steps, std::int64_t bytes, const MessageCost& cost) const {
    return number_ > 0 ? number_ : optimal_segments(steps, bytes, cost);
  }
  /// For one of so many equal parts of what the vector stands for.
  std::int64_t wanted(int steps, ConstVectorView vector, const Communicator& comm, int parts = 1) const {
    MessageCost cost = comm.message_cost();
    cost.seconds_per_byte /= comm.payload_scale();
    return wanted(steps, std::llround(static_cast<double>(vector.size_bytes()) * comm.payload_scale()) / parts, cost);
  }

 private:
  std::int64_t number_ = 0;  ///< 0: P*
};

}  // namespace heddle::schedule
