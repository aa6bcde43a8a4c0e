// SPDX-License-Identifier: Apache-2.0
#include "topo/placement/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "core/printable.hpp"
#include "core/random.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"

namespace heddle {

namespace {

void require_room(int ranks, const Topology& topology) {
  if (ranks < 1) throw InputError(fmt::format("{} ranks: there must be at least 1", ranks));
  if (ranks > topology.endpoints()) {
    throw InputError(
        fmt::format("{} ranks do not fit on {}, which has {} endpoints", ranks, topology.spec(), topology.endpoints()));
  }
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

Placement linear_placement(int ranks, const Topology& topology) {
  require_room(ranks, topology);
  Placement placement(static_cast<std::size_t>(ranks));
  std::iota(placement.begin(), placement.end(), 0);
  return placement;
}

Placement random_placement(int ranks, const Topology& topology, std::uint64_t seed) {
  require_room(ranks, topology);
  Placement placement = linear_placement(topology.endpoints(), topology);
  SplitMix64 random(seed);
  // Fisher-Yates from the front, as far as there are ranks.
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
    std::swap(placement[rank], placement[rank + random.below(placement.size() - rank)]);
  }
  placement.resize(static_cast<std::size_t>(ranks));
  return placement;
}

namespace {

/// The endpoints of each group of a tier in ascending order; groups by their number.
std::vector<Placement> endpoints_by_group(const Topology& topology, int tier) {
  std::vector<Placement> groups;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    const auto group = static_cast<std::size_t>(topology.group(endpoint, tier));
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(endpoint);
  }
  return groups;
}

std::string content_of(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("placement file '{}' {}", path, error.what()));
  }
}

}  // namespace

Placement scattered_placement(int ranks, const Topology& topology, int tier) {
  require_room(ranks, topology);
  const int tiers = topology.group_tiers() - 1;  // the last is one group of all
  if (tiers < 1) throw InputError(fmt::format("{} has no groups of endpoints to scatter ranks over", topology.spec()));
  if (tier < 0 || tier >= tiers)
    throw InputError(fmt::format("tier {} of groups: {} has {}, from 0", tier, topology.spec(), tiers));
  const std::vector<Placement> groups = endpoints_by_group(topology, tier);
  Placement placement;
  for (std::size_t in_group = 0; placement.size() < static_cast<std::size_t>(ranks); ++in_group) {
    for (const Placement& group : groups)
      if (in_group < group.size() && placement.size() < static_cast<std::size_t>(ranks)) placement.push_back(group[in_group]);
  }
  return placement;
}

Placement grouped_placement(const std::vector<int>& ranks_of_group, int ranks, const Topology& topology) {
  require_room(ranks, topology);
  const std::vector<Placement> groups = endpoints_by_group(topology, 0);
  if (ranks_of_group.size() > groups.size()) {
    throw InputError(
        fmt::format("ranks in {} groups: {} has {} innermost ones", ranks_of_group.size(), topology.spec(), groups.size()));
  }
  Placement placement;
  for (std::size_t g = 0; g < ranks_of_group.size(); ++g) {
    const auto wanted = static_cast<std::size_t>(ranks_of_group[g]);
    if (wanted > groups[g].size()) {
      throw InputError(fmt::format("{} ranks do not fit in group {} of {}, which has {} endpoints", wanted, g, topology.spec(),
                                   groups[g].size()));
    }
    placement.insert(placement.end(), groups[g].begin(), groups[g].begin() + ranks_of_group[g]);
  }
  if (placement.size() != static_cast<std::size_t>(ranks))
    throw InputError(fmt::format("the groups have {} ranks together, not {}", placement.size(), ranks));
  return placement;
}

Placement given_placement(const std::vector<VertexId>& endpoints, int ranks, const Topology& topology) {
  require_room(ranks, topology);
  if (endpoints.size() != static_cast<std::size_t>(ranks))
    throw InputError(fmt::format("{} endpoints for {} ranks; one for each rank is needed", endpoints.size(), ranks));
  std::unordered_map<VertexId, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < endpoints.size(); ++rank) {
    const VertexId endpoint = endpoints[rank];
    if (endpoint < 0 || endpoint >= topology.endpoints())
      throw InputError(fmt::format("rank {} on endpoint {}: those of {} are 0 to {}", rank, endpoint, topology.spec(),
                                   topology.endpoints() - 1));
    const auto [other, is_new] = rank_of.emplace(endpoint, rank);
    if (!is_new) throw InputError(fmt::format("rank {} on endpoint {}: rank {} sits there", rank, endpoint, other->second));
  }
  return endpoints;
}

Placement placement_from_file(const std::string& path, int ranks, const Topology& topology) {
  require_room(ranks, topology);
  std::istringstream file(content_of(path));
  Placement placement;
  std::unordered_map<VertexId, int> line_of_endpoint;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const auto refuse = [&](std::string_view reason) {
      throw InputError(fmt::format("{}:{}: '{}' {}", path, number, text, reason));
    };

    const std::optional<VertexId> endpoint = read_number<VertexId>(text);
    if (!endpoint || *endpoint < 0 || *endpoint >= topology.endpoints()) {
      refuse(fmt::format("is not an endpoint of {}; they are 0 to {}", topology.spec(), topology.endpoints() - 1));
    }
    const auto [earlier, is_new] = line_of_endpoint.emplace(*endpoint, number);
    if (!is_new) refuse(fmt::format("has a rank already, from line {}", earlier->second));
    if (placement.size() == static_cast<std::size_t>(ranks))
      refuse(fmt::format("is one endpoint more than the {} ranks", ranks));
    placement.push_back(*endpoint);
  }
  if (file.bad()) throw InputError(fmt::format("placement file '{}' cannot be read", path));
  if (placement.size() < static_cast<std::size_t>(ranks)) {
    throw InputError(fmt::format("{}: {} for {}; one line per rank is needed", path, counted(std::ssize(placement), "endpoint"),
                                 counted(ranks, "rank")));
  }
  return placement;
}

namespace {

constexpr std::string_view kRandom = "random";
constexpr std::string_view kFragmented = "fragmented";
constexpr std::string_view kScattered = "scattered:";
constexpr std::string_view kGroups = "groups:";
constexpr std::string_view kJob = "job:";
constexpr std::string_view kFile = "file:";
constexpr std::string_view kEndpoints = "endpoints:";

/// "13+7+12" behind a name; `what` is one of them, `form` an example.
std::vector<int> read_numbers(std::string_view text, std::string_view name, std::string_view what, std::string_view form) {
  std::vector<int> numbers;
  std::string_view rest = text.substr(name.size());
  for (bool more = true; more;) {
    const std::size_t end = rest.find('+');
    more = end != std::string_view::npos;
    const std::optional<int> number = read_number<int>(rest.substr(0, end));
    if (!number || *number < 0 || *number > kMaxEndpoints)
      throw InputError(fmt::format("placement '{}': '{}' is not {}; try {}", text, rest.substr(0, end), what, form));
    numbers.push_back(*number);
    if (more) rest.remove_prefix(end + 1);
  }
  return numbers;
}

std::vector<int> read_group_sizes(std::string_view text) {
  return read_numbers(text, kGroups, "a number of ranks", "groups:13+7+12");
}

std::vector<int> read_endpoints(std::string_view text) {
  return read_numbers(text, kEndpoints, "an endpoint's number", "endpoints:3+0+1");
}

Placement read_scattered(std::string_view text, int ranks, const Topology& topology) {
  const std::optional<int> tier = read_number<int>(text.substr(kScattered.size()));
  if (!tier) throw InputError(fmt::format("placement '{}': the tier is not a whole number; try scattered:0", text));
  return scattered_placement(ranks, topology, *tier);
}

/// Of "random" or "random:7", `name` being "random".
std::uint64_t read_seed(std::string_view text, std::string_view name) {
  if (text == name) return kDefaultPlacementSeed;
  const auto seed = read_number<std::uint64_t>(text.substr(name.size() + 1));
  if (!seed) throw InputError(fmt::format("placement '{}': the seed is not a whole number; try {}:7", text, name));
  return *seed;
}

}  // namespace

Placement parse_placement(std::string_view text, int ranks, const Topology& topology) {
  if (text == "linear") return linear_placement(ranks, topology);
  if (text == kRandom || text.starts_with(std::string(kRandom) + ':'))
    return random_placement(ranks, topology, read_seed(text, kRandom));
  if (text == kFragmented || text.starts_with(std::string(kFragmented) + ':'))
    return fragmented_placement(ranks, topology, read_seed(text, kFragmented));
  if (text == "scattered") return scattered_placement(ranks, topology);
  if (text.starts_with(kScattered)) return read_scattered(text, ranks, topology);
  if (text.starts_with(kGroups)) return grouped_placement(read_group_sizes(text), ranks, topology);
  if (text.starts_with(kJob)) return job_placement(find_recorded_job(text.substr(kJob.size())), ranks, topology);
  if (text.starts_with(kFile)) return placement_from_file(std::string(text.substr(kFile.size())), ranks, topology);
  if (text.starts_with(kEndpoints)) return given_placement(read_endpoints(text), ranks, topology);
  throw InputError(
      fmt::format("placement '{}' is unknown; try linear, random, random:7, fragmented, scattered, groups:13+7+12, "
                  "job:leonardo/14075154, endpoints:3+0+1 or file:PATH",
                  text));
}

std::optional<int> ranks_of_placement(std::string_view text) {
  if (text.starts_with(kJob)) return find_recorded_job(text.substr(kJob.size())).nodes;
  if (text.starts_with(kEndpoints)) return static_cast<int>(read_endpoints(text).size());
  if (!text.starts_with(kGroups)) return std::nullopt;
  std::int64_t ranks = 0;
  for (const int size : read_group_sizes(text)) ranks += size;
  if (ranks > kMaxEndpoints) throw InputError(fmt::format("placement '{}': {} ranks are too many", text, ranks));
  return static_cast<int>(ranks);
}

namespace {

/// The coordinates first … last in each dimension.
struct Box {
  std::vector<int> first;
  std::vector<int> last;
};

Box bounding_box(const Placement& endpoints, const Grid& grid) {
  Box box{grid.coordinates(Rank(endpoints.front())), grid.coordinates(Rank(endpoints.front()))};
  for (const VertexId endpoint : endpoints) {
    for (std::size_t d = 0; d < box.first.size(); ++d) {
      const int at = grid.coordinate(Rank(endpoint), static_cast<int>(d));
      box.first[d] = std::min(box.first[d], at);
      box.last[d] = std::max(box.last[d], at);
    }
  }
  return box;
}

}  // namespace

std::optional<Grid> grid_under(const Placement& endpoints, const Topology& topology) {
  const Grid* whole = topology.grid();
  if (whole == nullptr || endpoints.empty()) return std::nullopt;
  if (endpoints.size() == static_cast<std::size_t>(whole->size())) {
    if (std::is_sorted(endpoints.begin(), endpoints.end())) return *whole;
    return Grid(whole->dims(), whole->wraps(), endpoints);
  }
  const Box box = bounding_box(endpoints, *whole);
  std::vector<int> dims;
  bool wraps = whole->wraps();
  std::size_t size = 1;
  for (std::size_t d = 0; d < box.first.size(); ++d) {
    const int length = box.last[d] - box.first[d] + 1;
    size *= static_cast<std::size_t>(length);
    if (length > 1) dims.push_back(length);
    if (length > 2 && length < whole->dims()[d]) wraps = false;
  }
  if (size != endpoints.size()) return std::nullopt;
  if (dims.empty()) dims.push_back(1);

  std::vector<int> node_of_rank;
  for (const VertexId endpoint : endpoints) {
    int node = 0;
    for (std::size_t d = 0; d < box.first.size(); ++d) {
      const int length = box.last[d] - box.first[d] + 1;
      node = node * length + whole->coordinate(Rank(endpoint), static_cast<int>(d)) - box.first[d];
    }
    node_of_rank.push_back(node);
  }
  if (std::is_sorted(node_of_rank.begin(), node_of_rank.end())) return Grid(std::move(dims), wraps);
  return Grid(std::move(dims), wraps, std::move(node_of_rank));
}

Tiers tiers_of(const Placement& endpoints, const Topology& topology) {
  Tiers tiers;
  int groups_before = static_cast<int>(endpoints.size());  // groups only grow together from tier to tier
  for (int tier = 0; tier + 1 < topology.group_tiers() && groups_before > 1; ++tier) {
    constexpr int kNone = -1;
    std::vector<int> number_of;  // by group of the topology, in the order in which ranks name them
    number_of.reserve(endpoints.size());
    std::vector<int> group;
    group.reserve(endpoints.size());
    int groups = 0;
    for (const VertexId endpoint : endpoints) {
      const auto whole = static_cast<std::size_t>(topology.group(endpoint, tier));
      if (whole >= number_of.size()) number_of.resize(whole + 1, kNone);
      if (number_of[whole] == kNone) number_of[whole] = groups++;
      group.push_back(number_of[whole]);
    }
    if (groups < groups_before && groups > 1) tiers.group.push_back(std::move(group));
    groups_before = std::min(groups_before, groups);
  }
  tiers.group.emplace_back(endpoints.size(), 0);
  return tiers;
}

Placement fragmented_placement(int ranks, const Topology& topology, std::uint64_t seed) {
  constexpr int kLongestRun = 16;
  Placement placement = linear_placement(ranks, topology);  // also refuses too many ranks
  SplitMix64 random(seed);
  const auto up_to = [&random](int most) { return static_cast<int>(random.below(static_cast<std::uint64_t>(most) + 1)); };

  const int spare = topology.endpoints() - ranks;
  const int others = up_to(std::min(spare, ranks));
  const int start = up_to(spare - others);
  std::vector<int> run_starts;  // ranks before which a gap can be
  for (int rank = 0; rank < ranks; rank += 1 + up_to(kLongestRun - 1)) run_starts.push_back(rank);
  // Each endpoint of others falls into the gap before one of the runs; what falls before the first moves the whole job.
  std::vector<int> gap(run_starts.size(), 0);
  for (int i = 0; i < others; ++i) ++gap[static_cast<std::size_t>(up_to(static_cast<int>(gap.size()) - 1))];

  VertexId shift = start;
  for (std::size_t run = 0; run < run_starts.size(); ++run) {
    shift += gap[run];
    const int end = run + 1 < run_starts.size() ? run_starts[run + 1] : ranks;
    for (int rank = run_starts[run]; rank < end; ++rank) placement[static_cast<std::size_t>(rank)] += shift;
  }
  return placement;
}

namespace {

std::string named(const RecordedJob& job) { return fmt::format("job {}/{}", job.system, job.name); }

/// The endpoints of each of the first `groups` groups of a tier, in order.
std::vector<Placement> first_groups(const Topology& topology, int tier, std::size_t groups) {
  std::vector<Placement> endpoints = endpoints_by_group(topology, tier);
  endpoints.resize(std::min(endpoints.size(), groups));
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
