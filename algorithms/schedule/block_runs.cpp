// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/block_runs.hpp"

#include <algorithm>

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

}  // namespace heddle::schedule
