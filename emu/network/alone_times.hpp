// SPDX-License-Identifier: Apache-2.0
// How fast a message drains when nobody else is on the fabric: what contention is measured against, and the whole of the α-β
// model.
#pragma once

#include <span>
#include <vector>

#include "emu/network/faulty_links.hpp"
#include "emu/network/network.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

class AloneTimes {
 public:
  /// `fabric` outlives this. latency_only: every link as if unlimited.
  /// `faulty`: what links have left of their bandwidth; outlives this; nullptr: all of it.
  AloneTimes(const Fabric& fabric, bool latency_only, const FaultyLinks* faulty = nullptr);

  /// By path of the route: bytes of the whole message per picosecond, so that each path has its part through after
  /// bytes / rate; infinite where nothing limits the path. Paths that share a link share it in proportion to their parts. Valid
  /// until the next call.
  std::span<const double> rates(const Route& route);

  std::span<const double> rates(const RunRoute& route);

  /// Of a stream over these links.
  double rate(std::span<const StreamLink> links) const;

 private:
  double capacity(LinkId link) const;  ///< bytes per second
  double capacity(const LinkRun& run) const;
  void make_room_for_shares();
  void add_up_shares(const Route& route);

  const Fabric& fabric_;
  bool latency_only_;
  const FaultyLinks* faulty_;
  std::vector<double> rates_;
  std::vector<double> shares_;  ///< by link: of the message, over all paths of the route at hand; else 0
};

}  // namespace heddle::emu
