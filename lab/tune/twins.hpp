// SPDX-License-Identifier: Apache-2.0
// Runs that do the same: two algorithms are twins at a point if their measured calls send the same messages, each between the
// same ranks, of as many bytes, in the same round, and take the same time. What the messages hold may differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "emu/record/report.hpp"

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

/// Runs that send nothing are no twins.
inline bool are_twins(const RunLikeness& a, const RunLikeness& b) { return a.messages > 0 && a == b; }

/// Runs at one point, as they come.
class Twins {
 public:
  /// The first of those added before that this one is a twin of; empty: of none.
  std::string add(std::string_view name, const RunLikeness& run) {
    for (const Known& known : known_)
      if (are_twins(known.run, run)) return known.name;
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

}  // namespace heddle
