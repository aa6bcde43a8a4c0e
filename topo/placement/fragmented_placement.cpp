// SPDX-License-Identifier: Apache-2.0
#include "topo/placement/fragmented_placement.hpp"

#include <algorithm>
#include <vector>

#include "core/random.hpp"

namespace heddle {

Placement fragmented_placement(int ranks, const Topology& topology, std::uint64_t seed) {
  constexpr int kLongestRun = 16;
  Placement placement = linear_placement(ranks, topology);  // also refuses too many ranks
  SplitMix64 random(seed);
  const auto up_to = [&random](int most) { return static_cast<int>(random.below(static_cast<std::uint64_t>(most) + 1)); };

  const int spare = topology.endpoints() - ranks;
  const int others = up_to(std::min(spare, ranks));
  const int start = up_to(spare - others);
  std::vector<int> run_starts;  // ranks before which a gap can be
  for (int rank = 0; rank < ranks; rank += 1 + up_to(kLongestRun - 1)) run_starts.push_back(rank);
  // Each endpoint of others falls into the gap before one of the runs; what falls before the first moves the whole job.
  std::vector<int> gap(run_starts.size(), 0);
  for (int i = 0; i < others; ++i) ++gap[static_cast<std::size_t>(up_to(static_cast<int>(gap.size()) - 1))];

  VertexId shift = start;
  for (std::size_t run = 0; run < run_starts.size(); ++run) {
    shift += gap[run];
    const int end = run + 1 < run_starts.size() ? run_starts[run + 1] : ranks;
    for (int rank = run_starts[run]; rank < end; ++rank) placement[static_cast<std::size_t>(rank)] += shift;
  }
  return placement;
}

}  // namespace heddle
