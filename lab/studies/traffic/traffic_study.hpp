// SPDX-License-Identifier: Apache-2.0
// Algorithms beside each other over seeded placements or recorded jobs, by what they send between groups (Bine trees, SC '25, §2.4.2).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "lab/studies/traffic/rank_traffic.hpp"
#include "topo/jobs/recorded_jobs.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

using SeededPlacement = std::function<Placement(int ranks, const Topology& topology, std::uint64_t seed)>;

struct TrafficQuestion {
  const Topology& topology;
  int tier;  ///< groups of this tier are what counts
  SeededPlacement place;
  int placements;            ///< ≥ 1
  std::uint64_t first_seed;  ///< the others follow
};

/// One algorithm against the first one, which is its baseline.
struct TrafficComparison {
  double mean_vectors = 0;  ///< between groups
  /// 1 - (vectors of this) / (vectors of the baseline), over the placements in which the baseline's cross groups; no value if
  /// there is none.
  std::optional<Quartiles> reduction;
  int more = 0;  ///< placements in which it sends more than the baseline
};

struct TrafficStudy {
  int ranks;
  double mean_groups = 0;                      ///< that the ranks fall into
  int inside = 0;                              ///< placements in one group
  int placements = 0;                          ///< that were counted
  std::vector<TrafficComparison> comparisons;  ///< by algorithm; all 0 if there are no placements
};

/// Throws InputError if an algorithm cannot serve so many ranks or they do not fit.
TrafficStudy study_traffic(std::span<const Algorithm> algorithms, int ranks, const TrafficQuestion& question);

/// Over recorded jobs of so many nodes each, one rank per node. Throws InputError as above.
TrafficStudy study_job_traffic(std::span<const Algorithm> algorithms, int ranks, std::span<const RecordedJob* const> jobs);
/// The recorded jobs of so many nodes that a selection takes, in the order of the file.
std::vector<const RecordedJob*> selected_jobs(const JobSelection& selection, int nodes);

}  // namespace heddle
