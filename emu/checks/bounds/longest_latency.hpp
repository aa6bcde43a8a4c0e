// SPDX-License-Identifier: Apache-2.0
// How far apart in time the ranks of a placement are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// The least latency of a way from one endpoint to another (Σ of Fabric::latency over its links). Every way counts, not only
/// the routed ones: nothing is faster, relayed or not.
class Latencies {
 public:
  explicit Latencies(const Fabric& fabric) : from_(fabric, Way::from), to_(fabric, Way::to) {}

  /// To every vertex; Time::max() where no way leads.
  std::vector<Time> from(VertexId source) const { return from_.of(source); }
  /// From every vertex.
  std::vector<Time> to(VertexId destination) const { return to_.of(destination); }
  /// How much work one of them is, roughly: links looked at.
  std::int64_t steps() const { return from_.links(); }

 private:
  enum class Way : std::uint8_t { from, to };

  /// The links that leave each vertex, side by side; or those that enter it.
  class Adjacency {
   public:
    Adjacency(const Fabric& fabric, Way way);
    std::vector<Time> of(VertexId start) const;
    std::int64_t links() const { return static_cast<std::int64_t>(links_.size()); }

   private:
    struct Link {
      VertexId next;
      Time latency;
    };
    std::vector<std::int32_t> first_;  ///< of each vertex's links, and where the last one's end
    std::vector<Time> by_links(VertexId start) const;
    std::vector<Time> by_time(VertexId start) const;

    std::vector<Link> links_;
    bool is_uniform_ = false;  ///< all have one latency
  };

  Adjacency from_;
  Adjacency to_;
};

/// For the two ranks that are farthest apart. Zero for a single rank. Exact for up to a few hundred ranks and on rings, tori,
/// meshes, stars and full meshes of any size; else, where looking from each rank would take too long, at most the true value.
Time longest_latency(const Latencies& latencies, const Placement& placement);

/// Work that is worth an exact answer: milliseconds.
inline constexpr std::int64_t kMostLatencySteps = 1 << 22;

}  // namespace heddle::emu
