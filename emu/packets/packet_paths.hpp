// SPDX-License-Identifier: Apache-2.0
// The ways of packets: which outputs and virtual channels a path goes through, and which path each packet of a message takes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::emu {

/// All ways from one endpoint to another. A hop is a link that packets cross, or a trunk of which they cross any.
struct PacketPaths {
  VertexId from;
  VertexId to;
  Route route;
  std::vector<std::uint8_t> channels;  ///< by hop, as route.links()
  bool is_even = true;                 ///< all shares are equal
  std::uint32_t uses = 0;              ///< messages under way

  const Route::Path& path(std::size_t i) const { return route.paths()[i]; }
  /// By the number of a hop among those of all paths.
  LinkId hop(std::size_t i) const { return route.links()[i]; }
  LinkId first_hop(std::size_t path) const { return hop(static_cast<std::size_t>(route.paths()[path].first)); }
};

/// Those of the messages under way.
class KnownPaths {
 public:
  /// `channels`: how many a link has. The fabric outlives this.
  KnownPaths(const Fabric& fabric, int channels) : fabric_(fabric), routes_(fabric), channels_(channels) {}

  /// Stay until they are given back.
  PacketPaths& take(VertexId from, VertexId to);
  void give_back(PacketPaths& paths);

 private:
  const Fabric& fabric_;
  FilledRoutes routes_;
  int channels_;
  std::unordered_map<std::uint64_t, std::unique_ptr<PacketPaths>> known_;
  std::vector<std::unique_ptr<PacketPaths>> unused_;  ///< with the memory of their lists
};

/// The virtual channels along a path so that no ring of buffers can wait for itself: 0 on the first link, and again where the stage
/// rises; else that of the link before, and one more where the position does not rise (after Dally and Seitz 1987). At most `most` − 1.
/// `channels` has one for each link of the path.
void number_channels(const Topology& topology, std::span<const LinkId> path, int most, std::span<std::uint8_t> channels);

/// Which path each packet of a message takes, one after the other: packet i takes path i mod P where shares are equal, else the path
/// that is the furthest behind its share.
class PathTurns {
 public:
  explicit PathTurns(const PacketPaths& paths) : given_(paths.is_even ? 0 : paths.route.paths().size()) {}

  /// Of packet `i`, which is asked for in order.
  std::size_t next(const PacketPaths& paths, std::int64_t i) {
    if (given_.empty()) return static_cast<std::size_t>(i % static_cast<std::int64_t>(paths.route.paths().size()));
    std::size_t best = 0;
    double most = -1e300;
    for (std::size_t path = 0; path < given_.size(); ++path) {
      const double behind = paths.path(path).share * static_cast<double>(i + 1) - static_cast<double>(given_[path]);
      if (behind > most) most = behind, best = path;
    }
    ++given_[best];
    return best;
  }

 private:
  std::vector<std::int64_t> given_;  ///< by path; empty: all shares are equal
};

}  // namespace heddle::emu
