// SPDX-License-Identifier: Apache-2.0
// Sets of block positions as sorted runs: as long as the runs are few, a set costs little however many blocks it has.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::schedule {

/// Positions first … first + count - 1.
struct Run {
  std::int32_t first;
  std::int32_t count;
  constexpr std::int32_t end() const { return first + count; }
  friend bool operator==(const Run&, const Run&) = default;
};

/// Sorted, not empty, disjoint and not touching: one set has one form.
using RunSet = std::vector<Run>;

RunSet unite(const RunSet& a, const RunSet& b);
/// What is in `a` and not in `b`.
RunSet subtract(const RunSet& a, const RunSet& b);

/// Every position of a circle of `size` moved on by `shift`, 0 ≤ shift < size.
RunSet rotate(const RunSet& set, std::int32_t shift, std::int32_t size);
bool contains(const RunSet& set, std::int32_t position);
/// How many positions.
std::int64_t count(const RunSet& set);

/// Adds positions behind all of a set, joining runs that touch.
inline void append(RunSet& set, Run run) {
  if (!set.empty() && set.back().end() == run.first) {
    set.back().count += run.count;
  } else {
    set.push_back(run);
  }
}

/// The positions for which `wanted` holds.
template <class Predicate>
RunSet filter(const RunSet& set, const Predicate& wanted) {
  RunSet kept;
  for (const Run& run : set) {
    for (std::int32_t position = run.first; position < run.end(); ++position) {
      if (wanted(position)) append(kept, {position, 1});
    }
  }
  return kept;
}

}  // namespace heddle::schedule
