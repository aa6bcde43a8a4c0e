// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/tier_values.hpp"
#include "lab/sweep/sweep.hpp"

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

/// Lists by tier, each named as it was written.
template <class T, class Parse>
std::vector<Named<TierValues<T>>> read_tier_lists(std::string_view flag, const Texts& given, Parse parse) {
  Texts texts;
  for (const std::string& text : given) append_new(texts, text);
  std::vector<Named<TierValues<T>>> lists;
  for (const std::string& text : texts) {
    lists.push_back({text, read_flag(flag, text, [&](std::string_view list) { return parse_tier_values(list, parse); })});
  }
  return lists;
}

/// Points of an axis that split() finds in the texts, each once.
template <class T>
std::vector<Named<T>> read_points(std::string_view flag, const Texts& given, std::vector<Named<T>> (*split)(std::string_view)) {
  std::vector<Named<T>> points;
  for (const std::string& text : given) {
    for (Named<T>& point : read_flag(flag, text, split))
      if (std::ranges::find(points, point.text, &Named<T>::text) == points.end()) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

void read_axes(const AxisTexts& texts, Sweep& sweep) {
  for (const std::string& text : texts.topologies)
    for (const std::string& spec : split_topologies(text)) append_new(sweep.topologies, spec);
  sweep.presets = split_all(texts.presets);
  sweep.bandwidths = read_tier_lists<Bandwidth>("--bw", texts.bandwidths, parse_bandwidth);
  sweep.latencies = read_tier_lists<Time>("--latency", texts.latencies, parse_time);
  sweep.routings = read_points("--routing", texts.routings, split_routings);
  sweep.placements = split_all(texts.placements);
  sweep.faults = read_points("--fault", texts.faults, split_faults);
  sweep.models = read_points("--model", texts.models, split_models);
  if (texts.ranks) sweep.ranks = read_flag("--ranks", *texts.ranks, parse_rank_counts);
  if (texts.sizes) sweep.sizes = read_flag("--size", *texts.sizes, parse_sizes);
}

}  // namespace heddle
