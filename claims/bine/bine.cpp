// SPDX-License-Identifier: Apache-2.0
// Negabinary trees and butterflies: what the source claims, in the order of its sections.
#include <iterator>
#include <utility>

#include "claims/bine/bine_claims.hpp"
#include "claims/bine/bine_jobs.hpp"

namespace heddle::claims {

Source bine() {
  Source source{
      .name = "bine",
      .title = "Bine trees (De Sensi et al., SC '25)",
      .setting =
          "Figures of trees and butterflies are compared with the schedules that checked runs record (`heddle list "
          "--schedule`), message by message; steps count from 0. Traffic between groups is counted over the jobs that "
          "the authors publish with their traffic tracer, 1,508 of Leonardo and 2,792 of LUMI (`heddle traffic "
          "--placement jobs:…`; one of them: `heddle run --placement job:leonardo/14075154`), each message by its share "
          "of the vector, as the tracer does. Three numbers are quartiles.",
      .claims = {}};
  const auto add = [&](std::vector<Claim> part) {
    source.claims.insert(source.claims.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  };
  add(bine_tree_claims());
  add(bine_traffic_claims());
  add(bine_figure_5_claims());
  add(bine_butterfly_claims());
  add(bine_table_claims());
  add(bine_size_claims());
  return source;
}

}  // namespace heddle::claims
