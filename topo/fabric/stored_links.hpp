// SPDX-License-Identifier: Apache-2.0
// A topology whose links are stored one by one, for families whose ends are not worth computing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// Cables are numbered as they are added: cable c is the links 2c, from its first end to its second, and 2c + 1.
class StoredLinks : public Topology {
 public:
  int endpoints() const override { return endpoints_; }
  int switches() const override { return switches_; }
  int links() const override { return static_cast<int>(ends_.size()); }
  LinkEnds ends(LinkId link) const override { return ends_[static_cast<std::size_t>(link)]; }
  int tier(LinkId link) const override { return tiers_[static_cast<std::size_t>(link)]; }

 protected:
  StoredLinks(int endpoints, int switches) : endpoints_(endpoints), switches_(switches) {}

  void reserve_cables(std::size_t cables);
  /// Returns the link from `from` to `to`; the one back is the next.
  LinkId add_cable(VertexId from, VertexId to, int tier);

  /// For a cable one way only: from there on, numbers are as they come.
  LinkId add_link(VertexId from, VertexId to, int tier);

  /// Endpoints, switches, cables and degree; the rest is the family's to say.
  TopologyProperties counted_properties() const;

 private:
  int endpoints_;
  int switches_;
  std::vector<LinkEnds> ends_;
  std::vector<std::uint8_t> tiers_;
};

/// Throws InputError unless that many endpoints and links can be numbered and stored. The counts are floating point because
/// they may be beyond every integer.
void require_storable(const std::string& spec, double endpoints, double links);

/// Pairs low < high of 0 … n-1 in order: (0,1), (0,2), …, (1,2), …
constexpr std::int32_t pair_number(std::int32_t low, std::int32_t high, std::int32_t n) {
  return static_cast<std::int32_t>(std::int64_t{low} * (2 * std::int64_t{n} - low - 1) / 2) + high - low - 1;
}

// How large a topology may be. Each family asks here before it computes anything from its sizes.

/// Far beyond what one process can run; small enough that a list of all endpoints takes at most a gibibyte.
inline constexpr std::int64_t kMaxEndpoints = std::int64_t{1} << 28;

/// Throws InputError unless there are at most kMaxEndpoints endpoints and every link has a number of its own. The counts are
/// floating point because they may be beyond every integer.
void require_numberable(const std::string& spec, double endpoints, double links);

}  // namespace heddle
