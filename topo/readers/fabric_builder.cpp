// SPDX-License-Identifier: Apache-2.0
#include "topo/readers/fabric_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/checksum.hpp"
#include "heddle/errors.hpp"

namespace heddle {

FabricBuilder::Vertex FabricBuilder::add_vertex(const std::string& name, bool is_endpoint) {
  require_room(static_cast<double>(names_.size()) + 1, 0);
  const auto number = static_cast<Vertex>(names_.size());
  if (!vertices_.emplace(name, number).second) return -1;
  names_.push_back(name);
  is_endpoint_.push_back(is_endpoint);
  endpoints_ += is_endpoint ? 1 : 0;
  return number;
}

FabricBuilder::Vertex FabricBuilder::find(const std::string& name) const {
  const auto known = vertices_.find(name);
  return known == vertices_.end() ? -1 : known->second;
}

FabricBuilder::Tier FabricBuilder::tier(int order, const std::string& name, const LinkSpeed& speed) {
  const auto is_same = [&](const TierFacts& other) {
    return other.order == order && other.name == name && other.speed.bandwidth == speed.bandwidth &&
           other.speed.latency == speed.latency;
  };
  const auto known = std::ranges::find_if(tiers_, is_same);
  const auto number = static_cast<Tier>(known - tiers_.begin());
  if (known == tiers_.end()) tiers_.push_back({order, name, speed});
  constexpr std::size_t kMostTiers = 128;
  if (tiers_.size() > kMostTiers)
    throw InputError(fmt::format("{}: more than {} different speeds of links; round them", path_, kMostTiers));
  return number;
}

void FabricBuilder::require_room(double vertices, double cables) const {
  constexpr double kMostVertices = 1 << 20;
  constexpr double kMostCables = 1 << 22;
  if (vertices > kMostVertices)
    throw InputError(fmt::format("{}: {:.0f} endpoints and switches; at most {:.0f} are read of such a file", path_, vertices,
                                 kMostVertices));
  if (std::max(cables, cables_) > kMostCables)
    throw InputError(fmt::format("{}: {:.0f} cables; at most {:.0f} are read of such a file", path_, std::max(cables, cables_),
                                 kMostCables));
}

void FabricBuilder::add_link(Vertex from, Vertex to, Tier tier, int cables, bool one_way) {
  cables_ += cables;
  require_room(0, 0);
  bundles_.push_back({from, to, static_cast<int>(tier), cables, one_way});
}

std::vector<VertexId> FabricBuilder::final_numbers() const {
  std::vector<VertexId> numbers;
  VertexId next[] = {endpoints_, 0};
  for (const bool is_endpoint : is_endpoint_) numbers.push_back(next[is_endpoint ? 1 : 0]++);
  return numbers;
}

std::vector<int> FabricBuilder::set_tiers(FabricFile& file) const {
  std::vector<std::size_t> sorted(tiers_.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, {}, [&](std::size_t t) {
    return std::tuple(tiers_[t].order, -tiers_[t].speed.bandwidth.bytes_per_second(), tiers_[t].speed.latency);
  });
  std::multiset<std::string> names;
  for (const TierFacts& tier : tiers_) names.insert(tier.name);
  std::vector<int> places(tiers_.size());
  std::set<std::string> taken;
  for (const std::size_t t : sorted) {
    const TierFacts& tier = tiers_[t];
    places[t] = static_cast<int>(file.tiers.size());
    std::string name = tier.name;
    if (names.count(name) > 1) name += ' ' + to_string(tier.speed.bandwidth);
    if (taken.contains(name)) name += ' ' + to_string(tier.speed.latency);
    taken.insert(name);
    file.tiers.push_back(std::move(name));
    if (has_speeds_) file.speeds.push_back(tier.speed);
  }
  return places;
}

std::unique_ptr<Topology> FabricBuilder::build(std::string_view content) const {
  if (endpoints_ == 0) throw InputError(fmt::format("{}: there are no endpoints in it", path_));
  if (bundles_.empty() && names_.size() > 1) throw InputError(fmt::format("{}: there are no links in it", path_));
  const std::vector<VertexId> numbers = final_numbers();
  FabricFile file;
  file.endpoints = endpoints_;
  file.switches = static_cast<int>(names_.size()) - endpoints_;
  file.names.resize(names_.size());
  for (std::size_t v = 0; v < names_.size(); ++v) file.names[static_cast<std::size_t>(numbers[v])] = names_[v];
  file.offers.resize(static_cast<std::size_t>(file.switches));
  const std::vector<int> places = set_tiers(file);
  if (file.tiers.empty()) file.tiers = {"links"};
  for (const FabricFile::Bundle& bundle : bundles_)
    file.bundles.push_back({numbers[static_cast<std::size_t>(bundle.from)], numbers[static_cast<std::size_t>(bundle.to)],
                            places[static_cast<std::size_t>(bundle.tier)], bundle.cables, bundle.one_way});
  file.group = groups_;
  file.group.emplace_back(static_cast<std::size_t>(endpoints_), 0);
  file.direct = is_direct_ || file.switches == 0;
  file.checksum = checksum_of(content);
  return std::make_unique<FileGraph>(spec_, path_, std::move(file));
}

}  // namespace heddle
