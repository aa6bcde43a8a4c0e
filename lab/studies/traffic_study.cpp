// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/traffic_study.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace heddle {

namespace {

std::vector<int> groups_of(const Placement& placement, const TrafficQuestion& question) {
  std::vector<int> groups;
  groups.reserve(placement.size());
  for (const VertexId endpoint : placement) groups.push_back(question.topology.group(endpoint, question.tier));
  return groups;
}

TrafficComparison compare(const std::vector<double>& vectors, const std::vector<double>& baseline) {
  TrafficComparison comparison;
  std::vector<double> reductions;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    comparison.mean_vectors += vectors[i] / static_cast<double>(vectors.size());
    if (vectors[i] > baseline[i]) ++comparison.more;
    if (baseline[i] > 0) reductions.push_back(1 - vectors[i] / baseline[i]);
  }
  if (!reductions.empty()) comparison.reduction = quartiles_of(std::move(reductions));
  return comparison;
}

}  // namespace

TrafficStudy study_traffic(std::span<const Algorithm> algorithms, int ranks, const TrafficQuestion& question) {
  std::vector<std::vector<RankTraffic>> traffic;
  for (const Algorithm& algorithm : algorithms) traffic.push_back(count_rank_traffic(algorithm, ranks));

  TrafficStudy study{.ranks = ranks, .comparisons = {}};
  std::vector<std::vector<double>> vectors(algorithms.size());  // by algorithm and placement
  std::size_t groups_spanned = 0;
  for (int i = 0; i < question.placements; ++i) {
    const std::uint64_t seed = question.first_seed + static_cast<std::uint64_t>(i);
    const std::vector<int> groups = groups_of(question.place(ranks, question.topology, seed), question);
    const std::size_t spanned = std::set<int>(groups.begin(), groups.end()).size();
    groups_spanned += spanned;
    study.inside += spanned == 1 ? 1 : 0;
    for (std::size_t a = 0; a < algorithms.size(); ++a) vectors[a].push_back(traffic_between_groups(traffic[a], groups));
  }
  study.mean_groups = static_cast<double>(groups_spanned) / question.placements;
  for (const std::vector<double>& of_algorithm : vectors) study.comparisons.push_back(compare(of_algorithm, vectors.front()));
  return study;
}

}  // namespace heddle
