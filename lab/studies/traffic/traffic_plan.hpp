// SPDX-License-Identifier: Apache-2.0
// From a question about traffic between groups, in words, to the studies that answer it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "lab/studies/traffic/traffic_study.hpp"

namespace heddle {

/// As the flags of `heddle traffic` say it.
struct TrafficRequest {
  std::string collective = {};
  std::string algorithms = {};  ///< names with commas; the others are compared with the first
  std::vector<std::string> plugins = {};
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
