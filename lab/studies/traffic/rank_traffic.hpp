// SPDX-License-Identifier: Apache-2.0
// How much of what an algorithm sends goes between groups of ranks, wherever the ranks sit.
#pragma once

#include <span>
#include <vector>

#include "algorithms/registry/registry.hpp"

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

}  // namespace heddle
