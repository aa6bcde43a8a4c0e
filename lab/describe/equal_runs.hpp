// SPDX-License-Identifier: Apache-2.0
// Runs that do the same: two algorithms are equivalent at a point if their measured calls send the same messages, each between the
// same ranks, of as many bytes, in the same round, and take the same time. What the messages hold may differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"

namespace heddle {

/// What is compared of a run.
struct RunLikeness {
  std::int64_t messages = 0;
  std::uint64_t digest = 0;  ///< Report::messages_digest
  Time time;

  explicit RunLikeness(const Report& report)
      : messages(report.messages()), digest(report.messages_digest), time(report.completion) {}
  RunLikeness(std::int64_t messages_sent, std::uint64_t messages_digest, Time taken)
      : messages(messages_sent), digest(messages_digest), time(taken) {}
  bool operator==(const RunLikeness&) const = default;
};

/// Runs that send nothing are not equivalent.
inline bool are_equivalent(const RunLikeness& a, const RunLikeness& b) { return a.messages > 0 && a == b; }

/// Runs at one point, as they come.
class EquivalentRuns {
 public:
  /// The first of those added before that this one is equivalent to; empty: to none.
  std::string add(std::string_view name, const RunLikeness& run) {
    for (const Known& known : known_)
      if (are_equivalent(known.run, run)) return known.name;
    known_.push_back({std::string(name), run});
    return {};
  }

 private:
  struct Known {
    std::string name;
    RunLikeness run;
  };
  std::vector<Known> known_;
};

/// The names of several as one: "ring = torus_ring = torus_rings"
std::string all_names(const std::vector<std::string>& names);

/// The same; of more than two names no more than fit into so many letters, as "ring = torus_ring = 3 more".
std::string shared_name(const std::vector<std::string>& names, std::size_t letters);

// Which of several times is the least between two sizes at which they were measured: the lower envelope of lines. Pure.

/// What one of them takes at two sizes next to each other, in any unit; no value: it was not measured there.
struct TimeLine {
  std::optional<double> below = {};
  std::optional<double> above = {};
  /// Whether times between the two lie on the straight line. Where they do not, nothing is known of them but both ends.
  bool is_straight = true;

  bool has_both() const { return below && above; }
  /// `part` of the way from the lower size to the upper one, 0 … 1. It has both.
  double at(double part) const { return *below * (1 - part) + *above * part; }
};

/// Where another line becomes the least.
struct LeastChange {
  std::size_t from = 0;  ///< by line
  std::size_t to = 0;
  std::optional<double> part =
      {};  ///< of the way from the lower size to the upper one, 0 … 1; no value: somewhere between them
};

/// The changes between the two sizes, from the lower one on. `first` is a line that is the least at the lower size; what is not
/// measured at a size counts as nothing there. Each line is the least from its change on to the next one, or to the upper size.
/// If one of these is not straight, or is not measured at both sizes, there is at most one change, to the least at the upper
/// size, and nobody knows where. None where no line is measured at the upper size.
std::vector<LeastChange> changes_of_least(std::span<const TimeLine> lines, std::size_t first);

/// The least of the lines at `part` but for one of them, of those that are measured at both sizes; no value: there is no other.
std::optional<double> least_but_for(std::span<const TimeLine> lines, std::size_t one, double part);

}  // namespace heddle
