// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/skips/circulant_tree.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/schedule/skips/circulant_skips.hpp"

namespace heddle::schedule {

Tree skip_tree(const SkipSchedule& skips, int root) {
  const int p = skips.ranks();
  const std::vector<SkipHop> hops = first_hops(skips);
  return {p, root, [&](int rank) {
            const SkipHop& hop = hops[static_cast<std::size_t>(moved_by(root, -rank, p))];
            return Tree::Edge{moved_by(rank, hop.skip, p), skips.steps() - 1 - hop.round};
          }};
}

Tree circulant_tree(int ranks, int root) { return skip_tree(circulant_schedule(ranks, CirculantSkips()), root); }

std::int64_t largest_branch(const Tree& tree) {
  const std::vector<RunSet> below = tree.subtrees();
  std::int64_t largest = 0;
  for (const int child : tree.children(tree.root())) largest = std::max(largest, count(below[static_cast<std::size_t>(child)]));
  return largest;
}

}  // namespace heddle::schedule
