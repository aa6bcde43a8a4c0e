// SPDX-License-Identifier: Apache-2.0
// Sweeps written down, not run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/results/decisions.hpp"

namespace heddle::test {

/// A result of i32 elements.
struct Written {
  int ranks = 8;
  std::int64_t bytes = 0;
  std::string algorithm = {};
  std::int64_t us = 0;  ///< its time; 0: it failed a check
  int rounds = 1;
};

/// Of one collective on `topology` with so many ranks each.
inline decisions::NamedSweep sweep_of(const std::string& collective, const std::vector<Written>& results,
                                      const std::string& path = "sweep.json", const std::string& topology = "star:8") {
  using Json = nlohmann::ordered_json;
  decisions::NamedSweep sweep{path, {}};
  sweep.document.context["fabrics"] = Json::array();
  std::vector<std::string> fabrics;
  for (const Written& one : results) {
    SweepResult run;
    run.run = static_cast<int>(sweep.document.runs.size()) + 1;
    run.fabric = topology + ", " + std::to_string(one.ranks) + " ranks";
    run.topology = topology;
    run.ranks = one.ranks;
    run.placement = "linear";
    run.algorithm = one.algorithm;
    run.bytes = one.bytes;
    run.count = one.bytes / 4;
    if (one.us > 0) {
      run.measured.emplace();
      run.measured->time = Time::ps(one.us * 1'000'000);
      run.measured->rounds = one.rounds;
    } else {
      run.failure = Failure{CheckError::Kind::wrong_result, "planted"};
    }
    if (std::find(fabrics.begin(), fabrics.end(), run.fabric) == fabrics.end()) {
      fabrics.push_back(run.fabric);
      sweep.document.context["fabrics"].push_back({{"fabric", run.fabric},
                                                   {"collective", collective},
                                                   {"topology", topology},
                                                   {"preset", nullptr},
                                                   {"speeds", "links 50GB/s"},
                                                   {"ranks", one.ranks},
                                                   {"groups", nullptr},
                                                   {"datatype", "i32"},
                                                   {"op", "sum"},
                                                   {"blocks", "even"},
                                                   {"skew", nullptr}});
    }
    sweep.document.runs.push_back(std::move(run));
  }
  sweep.document.planned = static_cast<int>(results.size());
  return sweep;
}

}  // namespace heddle::test
