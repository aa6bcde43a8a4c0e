// SPDX-License-Identifier: Apache-2.0
// Closed forms, fabrics, switches that compute: the explainer's notes, one file or two for each.
#include <algorithm>
#include <iterator>

#include "claims/explainer/explainer_figures.hpp"
#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims {

namespace {

constexpr const char* kSetting =
    "The series computes with closed forms, t = n_α·α + n_β·M/BW; nothing in it was measured but the bandwidths that note "
    "05, §4.1, derates by. Each row is a form, a count or a time that it prints, beside a run or a fabric as built. Where a "
    "cost is given as `n_α α + n_β M/BW`, each coefficient is measured by a run of its own: n_α by the command shown, in "
    "which bytes take no time and each step 1 us, n_β by the same with the flags behind `#`, in which only bytes take time "
    "(M/BW = 368.64 us). Presets `explainer-n512…` have 0.5 us per switch or torus step and 900 GB/s; runs of 512 ranks are "
    "runs of 512 ranks.";

}  // namespace

Source explainer() {
  Source source{
      .name = "explainer", .title = "Collectives Explainer Series (Lu), notes 00–05", .setting = kSetting, .claims = {}};
  for (auto claims : {explainer_notes::cheatsheet, explainer_notes::algorithms, explainer_notes::algorithms_appendices,
                      explainer_notes::topologies, explainer_notes::topology_shapes, explainer_notes::hierarchies,
                      explainer_notes::hierarchies_appendices, explainer_notes::in_network, explainer_notes::contention})
    std::ranges::move(claims(), std::back_inserter(source.claims));
  explainer_notes::add_ladders(source.claims);
  return source;
}

}  // namespace heddle::claims
