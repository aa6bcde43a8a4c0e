// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/block_runs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace heddle::schedule {

RunSet unite(const RunSet& a, const RunSet& b) {
  RunSet both;
  both.reserve(a.size() + b.size());
  auto next_a = a.begin();
  auto next_b = b.begin();
  while (next_a != a.end() || next_b != b.end()) {
    const bool from_a = next_b == b.end() || (next_a != a.end() && next_a->first <= next_b->first);
    const Run run = from_a ? *next_a++ : *next_b++;
    if (!both.empty() && run.first <= both.back().end()) {
      both.back().count = std::max(both.back().end(), run.end()) - both.back().first;
    } else {
      both.push_back(run);
    }
  }
  return both;
}

RunSet subtract(const RunSet& a, const RunSet& b) {
  RunSet rest;
  auto hole = b.begin();
  for (Run run : a) {
    while (hole != b.end() && hole->end() <= run.first) ++hole;
    // `hole` may reach beyond this run into the next one, so it is looked at again there.
    for (auto h = hole; h != b.end() && h->first < run.end(); ++h) {
      if (h->first > run.first) rest.push_back({run.first, h->first - run.first});
      const std::int32_t behind = std::min(h->end(), run.end());
      run = {behind, run.end() - behind};
    }
    if (run.count > 0) rest.push_back(run);
  }
  return rest;
}

RunSet rotate(const RunSet& set, std::int32_t shift, std::int32_t size) {
  const std::int32_t turn = size - shift;  // positions from here on come round to the beginning
  RunSet rotated;
  for (const Run& run : set) {
    const std::int32_t first = std::max(run.first, turn);
    if (first < run.end()) append(rotated, {first - turn, run.end() - first});
  }
  for (const Run& run : set) {
    const std::int32_t end = std::min(run.end(), turn);
    if (run.first < end) append(rotated, {run.first + shift, end - run.first});
  }
  return rotated;
}

bool contains(const RunSet& set, std::int32_t position) {
  const auto behind =
      std::upper_bound(set.begin(), set.end(), position, [](std::int32_t at, const Run& run) { return at < run.first; });
  return behind != set.begin() && position < std::prev(behind)->end();
}

std::int64_t count(const RunSet& set) {
  return std::accumulate(set.begin(), set.end(), std::int64_t{0},
                         [](std::int64_t sum, const Run& run) { return sum + run.count; });
}

}  // namespace heddle::schedule
