// SPDX-License-Identifier: Apache-2.0
// Links of a fabric that are slow or down from some time on, and ways around those that are down.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/network/network.hpp"
#include "emu/settings/faults.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"
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

  /// The fabric's route between two endpoints over links that are up: without the paths that are not, or the way around. Its
  /// paths are filled by what their links have. Throws CheckError (cut) where there is none.
  void route(VertexId from, VertexId to, Route& route);
  /// What several trunks with faults let through together may be less than what each of them has: a switch passes on no more than
  /// comes to it. The number of a path's bottleneck of this kind, from 0 in the order in which they are met; -1: it has none.
  int bottleneck_of(const Route& route, const Route::Path& path);
  int bottlenecks() const { return static_cast<int>(bottlenecks_.size()); }
  /// Bytes per second that it lets through.
  double bottleneck(int number) const { return bottlenecks_[static_cast<std::size_t>(number)].capacity; }
  /// Messages were on this link, or trunk, when its state changed.
  void note_met(LinkId link) { met_[static_cast<std::size_t>(link)] = true; }
  /// Whether a message, or an operation of the switches, took this link while it had a fault, or would have; of a link that
  /// adaptive routing takes with others, one of them.
  bool has_met(LinkId link) const { return of_link_or_trunk(met_, link); }
  /// Whether one of them had other links or ways beside it, and took these for what it lacks.
  bool has_gone_round(LinkId link) const { return of_link_or_trunk(gone_round_, link); }
  /// The way around.
  const std::vector<LinkId>& way(VertexId from, VertexId to);
  /// Throws CheckError (cut): switches cannot work over a link that is down.
  void require_up(std::span<const StreamLink> links_of_tree);

 private:
  void add_up(LinkId trunk);
  /// A path's trunks, in order, and what they let through.
  struct Bottleneck {
    std::vector<LinkId> trunks;
    double capacity;
  };
  double let_through(const std::vector<LinkId>& trunks) const;

  void note_met(const Route& route);
  bool has_fault(LinkId link) const { return share(link) < 1 || is_down(link); }
  bool of_link_or_trunk(const std::vector<bool>& all, LinkId link) const;
  void avoid_dead_links(VertexId from, VertexId to, Route& route);
  bool is_dead(const Route& route, const Route::Path& path);
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
  KnownShares shares_;  ///< as long as nothing changes
  bool has_any_struck_ = false;
  std::vector<Bottleneck> bottlenecks_;
  std::map<std::vector<LinkId>, int> number_of_bottleneck_;
  std::vector<LinkId> trunks_of_path_;
  std::vector<bool> met_;  ///< by link and trunk
  std::vector<bool> gone_round_;
};

}  // namespace heddle::emu
