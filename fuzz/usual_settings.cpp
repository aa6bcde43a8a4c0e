// SPDX-License-Identifier: Apache-2.0
#include "fuzz/usual_settings.hpp"

namespace heddle {

FuzzSettings usual_settings(bool of_plugins, std::optional<int> delays) {
  FuzzSettings settings;
  settings.cases = UsualFuzzing::kCases;
  settings.most_ranks = UsualFuzzing::kMostRanks;
  settings.most_large_ranks = UsualFuzzing::kMostLargeRanks;
  settings.compared_once_in = of_plugins ? 1 : UsualFuzzing::kComparedOnceIn;
  if (!delays) {
    settings.fault_once_in = UsualFuzzing::kFaultOnceIn;
    settings.large_once_in = of_plugins ? UsualFuzzing::kLargeOnceInOfPlugins : UsualFuzzing::kLargeOnceIn;
    settings.twice_once_in = of_plugins ? UsualFuzzing::kTwiceOnceIn : 0;
    return settings;
  }
  settings.explore.emplace();
  settings.explore->delays = *delays;
  settings.explore->orders = UsualFuzzing::kMostOrders;
  settings.explore->seeds = UsualFuzzing::kOrderSeeds;
  settings.cases = UsualFuzzing::kExploredCases;
  settings.most_ranks = UsualFuzzing::kExploredRanks;
  settings.shrink_attempts = UsualFuzzing::kExploredShrinking;
  return settings;
}

}  // namespace heddle
