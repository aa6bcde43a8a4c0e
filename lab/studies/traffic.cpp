// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "emu/check/checked_run.hpp"
#include "emu/record/record_sink.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/run/algorithm_choice.hpp"
#include "lab/run/run_algorithm.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// Adds up the bytes that go from rank to rank in the measured call: not all messages are of the vector's elements.
class PairCounter final : public emu::RecordSink {
 public:
  void posted(const emu::PostedMessage& message) override {
    if (message.second_call || message.source == message.dest) return;
    bytes_[{message.source, message.dest}] += static_cast<std::int64_t>(message.data.size_bytes());
  }

  const std::map<std::pair<int, int>, std::int64_t>& bytes() const { return bytes_; }

 private:
  std::map<std::pair<int, int>, std::int64_t> bytes_;
};

}  // namespace

std::vector<RankTraffic> count_rank_traffic(const Algorithm& algorithm, int ranks) {
  const Fabric fabric(parse_topology(fmt::format("star:{}", ranks)), {});
  Shape shape{.ranks = ranks};
  if (ranks > 1) shape.cost = message_cost(fabric, 0, 1);
  std::int64_t count = algorithm.collective == Collective::barrier ? 0 : block_count_of(algorithm, shape);
  if (has_blocks(algorithm.collective)) count = std::lcm(count, std::int64_t{ranks});
  shape.count = count;
  shape.bytes = count * static_cast<std::int64_t>(Datatype::i32().size());
  if (const std::string reason = why_not(algorithm, shape, ReduceOp::sum()); !reason.empty())
    throw InputError(
        fmt::format("{} '{}' does not fit {} ranks: {}", to_string(algorithm.collective), algorithm.name, ranks, reason));

  PairCounter counter;
  EmulationSettings settings;
  settings.sinks = {&counter};
  const CollectiveCall call{
      .collective = algorithm.collective, .function = algorithm.run, .name = algorithm.name, .count = count, .sampled = count};
  try {
    run_checked(fabric, linear_placement(ranks, fabric.topology()), call, settings);
  } catch (const CheckError& error) {
    throw CheckError(error.kind(), error.what() + known_of(algorithm, settings.buffering.credits, call.in_place),
                     error.facts());
  }
  std::vector<RankTraffic> traffic;
  for (const auto& [pair, bytes] : counter.bytes())
    traffic.push_back({pair.first, pair.second, static_cast<double>(bytes) / static_cast<double>(shape.bytes)});
  return traffic;
}

double traffic_between_groups(std::span<const RankTraffic> traffic, std::span<const int> group) {
  double vectors = 0;
  for (const RankTraffic& pair : traffic) {
    if (group[static_cast<std::size_t>(pair.source)] != group[static_cast<std::size_t>(pair.dest)]) vectors += pair.vectors;
  }
  return vectors;
}

Quartiles quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
  };
  return {values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

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

std::vector<const RecordedJob*> selected_jobs(const JobSelection& selection, int nodes) {
  std::vector<const RecordedJob*> jobs;
  for (const RecordedJob& job : recorded_jobs())
    if (job.nodes == nodes && is_selected(job, selection)) jobs.push_back(&job);
  return jobs;
}

namespace {

constexpr std::int64_t kMostPlaced = 65'536;

/// "16,48,64", or "16:1024:x2": from 16, doubling, to 1024.
std::vector<int> parse_traffic_ranks(std::string_view text) {
  const auto number = [&](std::string_view part) { return static_cast<int>(parse_integer(part, 1, kMostPlaced)); };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return parse_list(text, number);
  const std::size_t factor = text.find(":x");
  if (factor == std::string_view::npos || factor <= colon)
    throw InputError(fmt::format("'{}': not a range of rank counts; try 16:1024:x2 or 16,48,64", text));
  const std::int64_t times = parse_integer(text.substr(factor + 2), 2, kMostPlaced);
  const int last = number(text.substr(colon + 1, factor - colon - 1));
  std::vector<int> counts;
  for (std::int64_t count = number(text.substr(0, colon)); count <= last; count *= times)
    counts.push_back(static_cast<int>(count));
  if (counts.empty()) throw InputError(fmt::format("'{}': the first count is above the last", text));
  return counts;
}

constexpr std::string_view kJobs = "jobs:";

SeededPlacement read_seeded_placement(std::string_view text) {
  if (text == "fragmented") return fragmented_placement;
  if (text == "random") return random_placement;
  constexpr std::array<std::string_view, 3> kNames = {"fragmented", "random", kJobs};
  throw InputError(unknown_name_message("placement", text, kNames));
}

/// The largest groups that are not all of the fabric, unless a tier is asked for.
int read_traffic_tier(const std::optional<std::string>& text, const Topology& topology) {
  const int tiers = topology.group_tiers() - 1;
  if (tiers < 1)
    throw InputError(fmt::format("{} has no groups of endpoints; try fattree:k=16 or dragonfly:groups=9,routers=4,hosts=2",
                                 topology.spec()));
  if (!text) return tiers - 1;
  return static_cast<int>(
      read_flag("--tier", *text, [&](std::string_view number) { return parse_integer(number, 0, tiers - 1); }));
}

void require_traffic_request(const TrafficRequest& request) {
  constexpr std::string_view kExample =
      "try: heddle traffic allreduce --algo recursive_doubling,bine_small --topo fattree:k=16";
  const auto require = [&](const std::string& text, std::string_view what) {
    if (text.empty()) throw InputError(fmt::format("{} is missing; {}", what, kExample));
  };
  require(request.collective, "the collective");
  require(request.algorithms, "--algo");
  const bool is_of_jobs = request.placement.starts_with(kJobs);
  if (!is_of_jobs) return require(request.topology, "--topo");
  if (!request.topology.empty() || request.tier)
    throw InputError(
        fmt::format("--placement {}: the groups are the machine's; leave --topo and --tier out", request.placement));
}

/// What is counted over, in words and for a document, and the count.
struct TrafficScope {
  std::string title;
  nlohmann::ordered_json parameters;
  std::function<TrafficStudy(std::span<const Algorithm>, int ranks)> count;
};

/// Refuses a number of nodes that no job has.
void require_recorded_jobs(const JobSelection& selection, std::string_view text, std::span<const int> counts) {
  int nearest = 0;
  for (const int count : counts) {
    if (!selected_jobs(selection, count).empty()) continue;
    for (const RecordedJob& job : recorded_jobs()) {
      if (is_selected(job, selection) && (nearest == 0 || std::abs(job.nodes - count) < std::abs(nearest - count)))
        nearest = job.nodes;
    }
    throw InputError(fmt::format("--ranks: no recorded job of {} has {} nodes{}", text, count,
                                 nearest == 0 ? "" : fmt::format("; the nearest number is {}", nearest)));
  }
}

TrafficScope scope_of_jobs(const TrafficRequest& request, std::span<const int> counts) {
  const JobSelection selection = read_flag(
      "--placement", request.placement, [](std::string_view text) { return parse_job_selection(text.substr(kJobs.size())); });
  require_recorded_jobs(selection, request.placement.substr(kJobs.size()), counts);
  return {fmt::format("vectors between groups of {}; recorded jobs of so many nodes", request.placement.substr(kJobs.size())),
          {{"placement", request.placement}},
          [selection](std::span<const Algorithm> algorithms, int ranks) {
            const std::vector<const RecordedJob*> jobs = selected_jobs(selection, ranks);
            return study_placements(algorithms, ranks, static_cast<int>(jobs.size()),
                                    [&](int i) { return groups_of_ranks(*jobs[static_cast<std::size_t>(i)]); });
          }};
}

TrafficScope scope_of_seeds(const TrafficRequest& request, std::span<const int> counts) {
  const std::shared_ptr<const Topology> topology = read_flag("--topo", request.topology, parse_topology);
  const int tier = read_traffic_tier(request.tier, *topology);
  const SeededPlacement place = read_flag("--placement", request.placement, read_seeded_placement);
  const auto placements = static_cast<int>(
      read_flag("--placements", request.placements, [](std::string_view text) { return parse_integer(text, 1, 1'000'000); }));
  const std::uint64_t seed = read_flag("--seed", request.seed, parse_seed);
  if (const int most = *std::max_element(counts.begin(), counts.end()); most > topology->endpoints())
    throw InputError(fmt::format("--ranks '{}': {} ranks do not fit on {}, which has {}; try --ranks 2:{}:x2", request.ranks,
                                 most, topology->spec(), counted(topology->endpoints(), "endpoint"), topology->endpoints()));
  return {fmt::format("vectors between groups of {} (tier {}); {} {} placements, seeds from {}", topology->spec(), tier,
                      placements, request.placement, seed),
          {{"topology", topology->spec()},
           {"tier", tier},
           {"placement", request.placement},
           {"placements", placements},
           {"seed", seed}},
          [=](std::span<const Algorithm> algorithms, int ranks) {
            return study_traffic(
                algorithms, ranks,
                {.topology = *topology, .tier = tier, .place = place, .placements = placements, .first_seed = seed});
          }};
}

/// At least two, that serve all numbers of ranks.
std::vector<Algorithm> compared_algorithms(const TrafficRequest& request, Collective collective, std::span<const int> counts) {
  std::vector<Shape> shapes;
  for (const int ranks : counts) shapes.push_back({.ranks = ranks, .count = ranks});
  std::vector<Algorithm> own = request.own;
  std::ranges::move(load_plugins(request.plugins), std::back_inserter(own));
  std::ranges::move(
      read_flag("--algo", request.algorithms, [&](std::string_view names) { return load_schedules(names, collective, own); }),
      std::back_inserter(own));
  AlgorithmChoice choice = read_flag("--algo", request.algorithms, [&](std::string_view names) {
    return choose_algorithms(collective, names, shapes, ReduceOp::sum(), Unfitting::refused, own);
  });
  if (choice.chosen.size() < 2)
    throw InputError(fmt::format("--algo '{}': name at least two, to compare the others with the first", request.algorithms));
  return std::move(choice.chosen);
}

}  // namespace

TrafficPlan plan_traffic(const TrafficRequest& request) {
  require_traffic_request(request);
  TrafficPlan plan;
  plan.collective = parse_collective(request.collective);
  if (plan.collective == Collective::barrier)
    throw InputError("barrier: it sends no data that could be counted; allreduce does");
  plan.counts = read_flag("--ranks", request.ranks, parse_traffic_ranks);
  TrafficScope scope =
      request.placement.starts_with(kJobs) ? scope_of_jobs(request, plan.counts) : scope_of_seeds(request, plan.counts);
  plan.title = std::move(scope.title);
  plan.parameters = std::move(scope.parameters);
  plan.algorithms = compared_algorithms(request, plan.collective, plan.counts);
  plan.study = [count = std::move(scope.count), algorithms = plan.algorithms](int ranks) { return count(algorithms, ranks); };
  return plan;
}

}  // namespace heddle
