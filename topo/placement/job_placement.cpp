// SPDX-License-Identifier: Apache-2.0
#include "topo/placement/job_placement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::string named(const RecordedJob& job) { return fmt::format("job {}/{}", job.system, job.name); }

/// The endpoints of each of the first `groups` groups of a tier, in order.
std::vector<Placement> first_groups(const Topology& topology, int tier, std::size_t groups) {
  std::vector<Placement> endpoints(groups);
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    const auto group = static_cast<std::size_t>(topology.group(endpoint, tier));
    if (group < groups) endpoints[group].push_back(endpoint);
  }
  while (!endpoints.empty() && endpoints.back().empty()) endpoints.pop_back();
  return endpoints;
}

}  // namespace

Placement job_placement(const RecordedJob& job, int ranks, const Topology& topology) {
  if (ranks != job.nodes) throw InputError(fmt::format("{} has {} nodes, not {}", named(job), job.nodes, ranks));
  const int tier = topology.group_tiers() - 2;  // the last is one group of all
  if (tier < 0)
    throw InputError(
        fmt::format("{} has no groups of endpoints for the {} groups of {}", topology.spec(), job.groups, named(job)));

  std::map<int, int> nodes_in;  // by the machine's number
  for (const RecordedJob::Run& run : job.runs) nodes_in[run.group] += run.nodes;
  const std::vector<Placement> groups = first_groups(topology, tier, nodes_in.size());
  if (groups.size() < nodes_in.size()) {
    throw InputError(
        fmt::format("{} is in {} groups: {} has {} of tier {}", named(job), job.groups, topology.spec(), groups.size(), tier));
  }
  std::map<int, Placement::const_iterator> next;
  for (auto at = nodes_in.begin(); at != nodes_in.end(); ++at) {
    const auto index = static_cast<std::size_t>(std::distance(nodes_in.begin(), at));
    if (static_cast<std::size_t>(at->second) > groups[index].size()) {
      throw InputError(fmt::format("{} has {} nodes in one group: group {} of {} has {} endpoints", named(job), at->second,
                                   index, topology.spec(), groups[index].size()));
    }
    next[at->first] = groups[index].begin();
  }
  Placement placement;
  for (const RecordedJob::Run& run : job.runs)
    for (int node = 0; node < run.nodes; ++node) placement.push_back(*next.at(run.group)++);
  return placement;
}

}  // namespace heddle
