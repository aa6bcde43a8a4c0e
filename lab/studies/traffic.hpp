// SPDX-License-Identifier: Apache-2.0
// How much of what an algorithm sends goes between groups of ranks, wherever the ranks sit.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/registry.hpp"
#include "topo/jobs/recorded_jobs.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// What one rank sends to another in the course of a call, in vectors of the whole count.
struct RankTraffic {
  int source;
  int dest;
  double vectors;
};

/// As a checked run of `ranks` ranks on a flat fabric counts it, a sum from or to rank 0, one element per block: by source,
/// then dest. Throws InputError if the algorithm cannot serve there, CheckError if a check of the run fails.
std::vector<RankTraffic> count_rank_traffic(const Algorithm& algorithm, int ranks);

/// The vectors that go from one group to another; group[r] is that of rank r.
double traffic_between_groups(std::span<const RankTraffic> traffic, std::span<const int> group);

/// A box plot's five numbers.
struct Quartiles {
  double least = 0;
  double first = 0;
  double median = 0;
  double third = 0;
  double most = 0;
};

/// Of at least one value; between two values, quartiles are interpolated (Hyndman and Fan 1996, definition 7).
Quartiles quartiles_of(std::vector<double> values);

// Algorithms beside each other over seeded placements or recorded jobs, by what they send between groups (Bine trees, SC '25, §2.4.2).

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

/// The recorded jobs of so many nodes that a selection takes, one rank per node, in the order of the file.
std::vector<const RecordedJob*> selected_jobs(const JobSelection& selection, int nodes);

// From a question about traffic between groups, in words, to the studies that answer it.

/// As the flags of `heddle traffic` say it.
struct TrafficRequest {
  std::string collective = {};
  std::string algorithms = {};  ///< names with commas; the others are compared with the first
  std::vector<std::string> plugins = {};
  std::vector<Algorithm> own = {};       ///< algorithms that are looked up first
  std::string topology = {};             ///< with groups; none for recorded jobs
  std::string ranks = "16:1024:x2";      ///< from 16, doubling, to 1024; or "16,48,64"
  std::string placement = "fragmented";  ///< or random, or recorded jobs: "jobs:leonardo,groups=3-20" (JobSelection)
  std::string placements = "500";        ///< of each number of ranks
  std::string seed = "1";                ///< of the first placement
  std::optional<std::string> tier = {};  ///< whose groups count, 0 the smallest; no value: the largest that are not all
};

struct TrafficPlan {
  Collective collective = Collective::allreduce;
  std::string title;                  ///< what is counted over: "vectors between groups of fattree:k=16 (tier 1); 500 …"
  nlohmann::ordered_json parameters;  ///< the same for a document
  std::vector<int> counts;            ///< numbers of ranks
  std::vector<Algorithm> algorithms;  ///< at least two; the first is the others' baseline
  /// Of one of the numbers of ranks. Blocks; throws as study_traffic does.
  std::function<TrafficStudy(int ranks)> study;
};

/// Throws InputError that names the flag of `heddle traffic`, before anything is counted.
TrafficPlan plan_traffic(const TrafficRequest& request);

}  // namespace heddle
