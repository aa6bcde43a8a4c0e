// SPDX-License-Identifier: Apache-2.0
#include "show/plot/plot_axes.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace heddle::pictures {

namespace {

/// `text` without the first `part` in it.
std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

/// "star:64, 400Gbps" of "star:64, 13 ranks, 400Gbps".
std::string without_ranks(const SweepResult& result) { return without(result.fabric, fmt::format(", {} ranks", result.ranks)); }

}  // namespace

PlotAxes::PlotAxes(const std::vector<SweepResult>& planned) {
  std::set<std::int64_t> sizes;
  std::set<int> ranks;
  std::set<std::string> fabrics;
  std::map<std::string, std::set<int>> ranks_of;
  for (const SweepResult& result : planned) {
    sizes.insert(result.bytes);
    ranks.insert(result.ranks);
    fabrics.insert(result.fabric);
    ranks_of[without_ranks(result)].insert(result.ranks);
  }
  if (sizes.size() > 1) return;
  if (ranks.size() > 1) {
    x_ = PlotX::ranks;
    topologies_grow_ = true;
    for (const auto& [fabric, of_it] : ranks_of) topologies_grow_ &= of_it.size() == 1;
  } else if (fabrics.size() > 1) {
    x_ = PlotX::fabric;
  }
}

std::string PlotAxes::plot_of(const SweepResult& result) const {
  if (x_ == PlotX::size) return result.fabric;
  if (x_ == PlotX::fabric) return {};
  const std::string label = without_ranks(result);
  if (!topologies_grow_) return label;
  const std::size_t colon = result.topology.find(':');
  return colon == std::string::npos ? label : without(label, result.topology.substr(colon));
}

}  // namespace heddle::pictures
