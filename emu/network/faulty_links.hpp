// SPDX-License-Identifier: Apache-2.0
// Links of a fabric that are slow or down from some time on, and ways around those that are down.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/faults/faults.hpp"
#include "emu/network/network.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// A way around is a shortest one over links that are up; of equal ones, that whose links have the lesser numbers, from the
/// first on. It leads through endpoints only where the fabric's own routes do. Under routing that splits, a link of it that
/// belongs to a trunk is the whole trunk, as for other messages. A trunk has what its links have together, and its messages take
/// each of them for as much as it has; it is down when all of them are.
class FaultyLinks {
 public:
  /// Both references and what `faults` refers to outlive it.
  FaultyLinks(const Fabric& fabric, const Placement& placement, std::span<const LinkFault> faults);

  /// When something changes, each time once, ascending.
  const std::vector<Time>& times() const { return times_; }
  /// It is `now`, which does not go back. The links and trunks whose state has changed.
  std::vector<LinkId> advance(Time now);

  /// What a link has of its bandwidth, as long as it is up.
  double share(LinkId link) const { return share_[static_cast<std::size_t>(link)]; }
  bool is_down(LinkId link) const { return down_[static_cast<std::size_t>(link)]; }
  /// Of what a trunk carries, the part of each of its links; all 0 where it is down.
  std::vector<double> parts(LinkId trunk) const;

  /// Makes the fabric's route between two endpoints one over links that are up: without the paths that are not, or the way
  /// around. Throws CheckError (cut) where there is none.
  void avoid_dead_links(VertexId from, VertexId to, Route& route);
  /// The way around.
  const std::vector<LinkId>& way(VertexId from, VertexId to);
  /// Throws CheckError (cut): switches cannot work over a link that is down.
  void require_up(std::span<const StreamLink> links_of_tree) const;

 private:
  void add_up(LinkId trunk);
  bool is_dead(const Route& route, const Route::Path& path) const;
  std::vector<LinkId> search(VertexId from, VertexId to) const;
  [[noreturn]] void fail_cut(VertexId from, VertexId to, const std::vector<bool>& reached) const;
  std::string fault_text(LinkId link) const;
  bool passes_on(VertexId vertex) const;
  bool routes_lead_through_endpoints() const;
  void make_graph();

  const Fabric& fabric_;
  const Placement& placement_;
  std::span<const LinkFault> faults_;
  std::vector<Time> times_;
  std::size_t dead_links_ = 0;
  std::vector<double> share_;  ///< by link and trunk
  std::vector<bool> down_;     ///< likewise
  Time now_;

  bool endpoints_pass_on_ = false;
  std::vector<std::size_t> first_out_;  ///< by vertex: where its links begin in out_; made when a way is first looked for
  std::vector<LinkId> out_;
  std::unordered_map<std::uint64_t, std::vector<LinkId>> ways_;  ///< by the two endpoints, as long as nothing changes
  Route kept_;
};

}  // namespace heddle::emu
