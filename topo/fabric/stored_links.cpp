// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/stored_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "heddle/errors.hpp"

namespace heddle {

void StoredLinks::reserve_cables(std::size_t cables) {
  ends_.reserve(2 * cables);
  tiers_.reserve(2 * cables);
}

LinkId StoredLinks::add_link(VertexId from, VertexId to, int tier) {
  ends_.push_back({from, to});
  tiers_.push_back(static_cast<std::uint8_t>(tier));
  return links() - 1;
}

LinkId StoredLinks::add_cable(VertexId from, VertexId to, int tier) {
  const LinkId link = add_link(from, to, tier);
  add_link(to, from, tier);
  return link;
}

TopologyProperties StoredLinks::counted_properties() const {
  TopologyProperties facts;
  facts.endpoints = endpoints_;
  facts.switches = switches_;
  facts.cables = links() / 2;
  facts.tiers = {{.name = "links", .switches = switches_, .cables = facts.cables, .oversubscription = 1}};
  std::vector<int> cables_at(static_cast<std::size_t>(endpoints_));
  for (const LinkEnds& link : ends_) {
    if (link.from < endpoints_) ++cables_at[static_cast<std::size_t>(link.from)];
  }
  facts.degree = *std::max_element(cables_at.begin(), cables_at.end());
  return facts;
}

void require_storable(const std::string& spec, double endpoints, double links) {
  require_numberable(spec, endpoints, links);
  constexpr double kMostLinks = 1 << 27;
  constexpr double kBytesOfLink = sizeof(LinkEnds) + 1;
  if (links > kMostLinks) {
    throw InputError(
        fmt::format("topology '{}': {:.10g} links, at most {:.10g} are possible in this family; they would take "
                    "{:.3g} GiB",
                    spec, links, kMostLinks, links * kBytesOfLink / (1 << 30)));
  }
}

void require_numberable(const std::string& spec, double endpoints, double links) {
  if (endpoints > static_cast<double>(kMaxEndpoints)) {
    constexpr double kPagesOfOneRank = 4096.0 / (1024.0 * 1024 * 1024 * 1024);
    throw InputError(
        fmt::format("topology '{}': {:.10g} endpoints, at most {} are possible; one 4 KiB page of stack for each rank would "
                    "take {:.3g} TiB",
                    spec, endpoints, kMaxEndpoints, endpoints * kPagesOfOneRank));
  }
  constexpr LinkId kMaxLinks = std::numeric_limits<LinkId>::max();
  if (links > kMaxLinks) {
    throw InputError(fmt::format("topology '{}': {:.10g} endpoints have {:.10g} links, at most {} are possible", spec,
                                 endpoints, links, kMaxLinks));
  }
}

}  // namespace heddle
