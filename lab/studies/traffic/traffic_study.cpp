// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/traffic/traffic_study.hpp"

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

namespace {

/// `groups_at(i)` has the group of each rank in placement i.
TrafficStudy study_placements(std::span<const Algorithm> algorithms, int ranks, int placements,
                              const std::function<std::vector<int>(int)>& groups_at) {
  std::vector<std::vector<RankTraffic>> traffic;
  for (const Algorithm& algorithm : algorithms) traffic.push_back(count_rank_traffic(algorithm, ranks));

  TrafficStudy study{.ranks = ranks, .placements = placements, .comparisons = {}};
  std::vector<std::vector<double>> vectors(algorithms.size());  // by algorithm and placement
  std::size_t groups_spanned = 0;
  for (int i = 0; i < placements; ++i) {
    const std::vector<int> groups = groups_at(i);
    const std::size_t spanned = std::set<int>(groups.begin(), groups.end()).size();
    groups_spanned += spanned;
    study.inside += spanned == 1 ? 1 : 0;
    for (std::size_t a = 0; a < algorithms.size(); ++a) vectors[a].push_back(traffic_between_groups(traffic[a], groups));
  }
  if (placements > 0) study.mean_groups = static_cast<double>(groups_spanned) / placements;
  for (const std::vector<double>& of_algorithm : vectors) study.comparisons.push_back(compare(of_algorithm, vectors.front()));
  return study;
}

}  // namespace

TrafficStudy study_traffic(std::span<const Algorithm> algorithms, int ranks, const TrafficQuestion& question) {
  return study_placements(algorithms, ranks, question.placements, [&](int i) {
    const std::uint64_t seed = question.first_seed + static_cast<std::uint64_t>(i);
    return groups_of(question.place(ranks, question.topology, seed), question);
  });
}

TrafficStudy study_job_traffic(std::span<const Algorithm> algorithms, int ranks, std::span<const RecordedJob* const> jobs) {
  return study_placements(algorithms, ranks, static_cast<int>(jobs.size()),
                          [&](int i) { return groups_of_ranks(*jobs[static_cast<std::size_t>(i)]); });
}

std::vector<const RecordedJob*> selected_jobs(const JobSelection& selection, int nodes) {
  std::vector<const RecordedJob*> jobs;
  for (const RecordedJob& job : recorded_jobs())
    if (job.nodes == nodes && is_selected(job, selection)) jobs.push_back(&job);
  return jobs;
}

}  // namespace heddle
