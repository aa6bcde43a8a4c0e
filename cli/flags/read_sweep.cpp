// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/read_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/flags/read_experiment.hpp"
#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/grammar/lists/axis_lists.hpp"
#include "lab/grammar/tier_values.hpp"

namespace heddle {

namespace {

using Texts = std::vector<std::string>;

/// Each once, in the order given.
void append_new(Texts& texts, std::string_view text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

Texts split_all(const Texts& given) {
  Texts parts;
  for (const std::string& text : given)
    for (const std::string_view part : split_list(text)) append_new(parts, part);
  return parts;
}

std::vector<Bytes> read_sizes(const SweepFlags& options) {
  if (options.sizes && options.nccl_sizes.any())
    throw InputError("--size and nccl-tests' flags for sizes (-b, -e, -f, -i): one or the other");
  if (options.sizes) return read_flag("--size", *options.sizes, parse_sizes);
  if (options.nccl_sizes.any()) return sizes_of(options.nccl_sizes);
  return {};
}

/// Lists by tier, each named as it was written.
template <class T, class Parse>
std::vector<Named<std::vector<T>>> read_tier_lists(std::string_view flag, const Texts& given, Parse parse) {
  Texts texts;
  for (const std::string& text : given) append_new(texts, text);
  std::vector<Named<std::vector<T>>> lists;
  for (const std::string& text : texts) lists.push_back({text, read_tier_values(flag, text, parse)});
  return lists;
}

/// Points of faults, each once.
std::vector<Named<Texts>> read_faults(const Texts& given) {
  std::vector<Named<Texts>> points;
  for (const std::string& text : given) {
    for (FaultPoint& point : read_flag("--fault", text, split_faults)) {
      if (std::ranges::find(points, point.text, &Named<Texts>::text) == points.end())
        points.push_back({std::move(point.text), std::move(point.faults)});
    }
  }
  return points;
}

std::vector<Named<std::vector<Routing>>> read_routings(const Texts& given) {
  std::vector<Named<std::vector<Routing>>> routings;
  for (const std::string& text : given) {
    for (RoutingPointText& point : read_flag("--routing", text, split_routings)) {
      if (std::ranges::find(routings, point.text, &Named<std::vector<Routing>>::text) == routings.end())
        routings.push_back({std::move(point.text), std::move(point.routings)});
    }
  }
  return routings;
}

void require_given(const SweepFlags& options) {
  constexpr std::string_view kExample = "try: heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4";
  if (options.run.collective.empty()) throw InputError(fmt::format("the collective is missing; {}", kExample));
}

}  // namespace

Sweep read_sweep(const SweepFlags& options) {
  require_given(options);
  Sweep sweep;
  sweep.common = read_experiment(options.run);
  sweep.algorithms = options.run.algorithms;
  sweep.tuning = read_tuning(options.run);
  for (const std::string& text : options.topologies)
    for (const std::string& spec : split_topologies(text)) append_new(sweep.topologies, spec);
  sweep.presets = split_all(options.presets);
  sweep.bandwidths = read_tier_lists<Bandwidth>("--bw", options.bandwidths, parse_bandwidth);
  sweep.latencies = read_tier_lists<Time>("--latency", options.latencies, parse_time);
  sweep.routings = read_routings(options.routings);
  sweep.placements = split_all(options.placements);
  sweep.faults = read_faults(options.faults);
  if (options.base) sweep.base = *options.base;
  if (options.ranks) sweep.ranks = read_flag("--ranks", *options.ranks, parse_rank_counts);
  sweep.sizes = read_sizes(options);
  if (options.shard) sweep.shard = read_flag("--shard", *options.shard, parse_shard);
  sweep.parameters = parameters_of(options);
  sweep.command = command_of(options);
  return sweep;
}

}  // namespace heddle
