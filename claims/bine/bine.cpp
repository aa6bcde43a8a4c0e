// SPDX-License-Identifier: Apache-2.0
// Negabinary trees and butterflies: what the source claims, in the order of its sections.
#include <iterator>
#include <utility>

#include "claims/bine/bine_claims.hpp"

namespace heddle::claims {

Source bine() {
  Source source{.name = "bine",
                .title = "Bine trees (De Sensi et al., SC '25)",
                .setting =
                    "Figures of trees and butterflies are compared with the schedules that checked runs record (`heddle list "
                    "--schedule`), message "
                    "by message; steps count from 0. Traffic between groups is counted over 500 seeded placements of each "
                    "number of ranks "
                    "(`heddle traffic`): ranks in order, in runs of 1 to 16 nodes, at most as many foreign nodes between them, "
                    "in place of the "
                    "published jobs of LUMI and Leonardo, whose nodes are not known. Three numbers are quartiles.",
                .claims = {}};
  const auto add = [&](std::vector<Claim> part) {
    source.claims.insert(source.claims.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  };
  add(bine_tree_claims());
  add(bine_traffic_claims());
  add(bine_butterfly_claims());
  add(bine_size_claims());
  return source;
}

}  // namespace heddle::claims
