// SPDX-License-Identifier: Apache-2.0
// Any graph, from a file: JSON (docs/fabric-file.md), or one of topo/readers. Routes are minimal: of the fewest links, through switches only, or also
// through endpoints where the fabric is direct (it has no switches, or the file says so).
//
// For every destination the distance of each switch and the number of shortest walks from it are worked out once, at
// construction; destinations that hang on the same cables of the same switches share them. A route steps down these distances.
//
// Routing::split() gives every shortest walk over cables the same share; cables side by side are a trunk, so that walks that
// differ in them only are one path. Of more than kMostPaths paths it takes kMostPaths, evenly spaced among the walks in the
// order of the file's links, and gives them the same share. Routing::deterministic() takes the first walk, Routing::ecmp() the
// one that a hash of the flow points to.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topo/fabric/fabric.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// A fabric that a file describes, checked and with names resolved.
struct FabricFile {
  /// Cables side by side between two vertices.
  struct Bundle {
    VertexId from;
    VertexId to;
    int tier;
    int cables;
    bool one_way;
  };

  int endpoints = 0;
  int switches = 0;
  std::vector<std::string> names;    ///< of the vertices
  std::vector<SwitchOffers> offers;  ///< by switch
  std::vector<Bundle> bundles;
  std::vector<std::string> tiers;       ///< names; at least one
  std::vector<LinkSpeed> speeds;        ///< by tier; empty if the file gives none
  std::vector<std::vector<int>> group;  ///< by tier of groups, by endpoint; the last is one group of all
  bool direct = false;                  ///< endpoints pass on what is for others
  std::string checksum;                 ///< of all that the file says but for 'check'
};

/// Throws InputError "FILE:LINE: what is wrong"; "FILE: …" if it cannot be read.
FabricFile read_fabric_file(const std::string& path);
/// The same of the file's content. `name` stands for the file in messages.
FabricFile read_fabric_text(std::string_view text, const std::string& name);

/// In front of the name of a fabric that a program has as a value, where a topology's text is asked for.
inline constexpr std::string_view kGivenFabric = "given:";

class FileGraph final : public StoredLinks {
 public:
  static constexpr int kMostPaths = 64;

  /// `shape` is the text that reads it again, `path` the file in errors. Throws InputError if an endpoint cannot reach another.
  FileGraph(std::string shape, std::string path, FabricFile file);

  std::string shape() const override { return shape_; }
  bool is_direct() const override { return file_.direct; }
  int trunks() const override { return static_cast<int>(trunks_.size()); }
  Trunk trunk(LinkId trunk) const override { return trunks_[static_cast<std::size_t>(trunk - links())]; }
  LinkId trunk_of(LinkId link) const override { return trunk_of_[static_cast<std::size_t>(link)]; }
  WayWidths way_widths() const override { return WayWidths::any; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  int group_tiers() const override { return static_cast<int>(file_.group.size()); }
  int group(VertexId endpoint, int tier) const override {
    return file_.group[static_cast<std::size_t>(tier)][static_cast<std::size_t>(endpoint)];
  }
  std::vector<LinkSpeed> tier_speeds() const override { return file_.speeds; }
  /// The bisection is the cut between the first half of the endpoints and the second: an upper bound. Of the oversubscription
  /// of a tier a file says nothing: 1.
  TopologyProperties properties() const override;
  std::string checksum() const override { return file_.checksum; }
  std::string vertex_name(VertexId vertex) const override { return file_.names[static_cast<std::size_t>(vertex)]; }

 private:
  /// Links side by side, one way.
  struct Arc {
    VertexId from;
    VertexId to;
    Trunk links;
  };
  /// An arc from a vertex that forwards, as its end sees it.
  struct Arrival {
    VertexId from;
    int cables;
  };
  static constexpr int kNever = std::numeric_limits<int>::max();
  /// What a vertex knows of a destination.
  struct Outlook {
    int distance = kNever;
    double walks = 0;  ///< over cables
    double paths = 0;  ///< cables side by side counted once
  };
  /// The same of all vertices that forward. Distances are looked at most, and stand close together.
  struct Table {
    std::vector<int> distance;
    std::vector<double> walks;
    std::vector<double> paths;
  };

  void add_bundles();
  void index_arcs();
  std::vector<std::size_t> sort_by(VertexId Arc::*end, std::vector<Arc>& arcs) const;
  void fill_tables();
  Table table_towards(VertexId to, std::int64_t& looks) const;
  template <class Use>
  void for_each_kind_of_pair(const Use& use) const;
  void require_all_reachable() const;

  std::size_t forwarder(VertexId vertex) const {
    return static_cast<std::size_t>(file_.direct ? vertex : vertex - endpoints());
  }
  bool forwards(VertexId vertex) const { return file_.direct || vertex >= endpoints(); }
  std::span<const Arc> arcs_from(VertexId vertex) const;
  std::span<const Arrival> arrivals(VertexId vertex) const;
  const Table& table(VertexId to) const { return tables_[static_cast<std::size_t>(table_of_[static_cast<std::size_t>(to)])]; }
  /// As in the outlook.
  int distance(VertexId vertex, VertexId to, const Table& towards) const {
    if (vertex == to) return 0;
    return forwards(vertex) ? towards.distance[forwarder(vertex)] : kNever;
  }
  Outlook outlook(VertexId vertex, VertexId to, const Table& towards) const;
  Outlook outlook_from_source(VertexId from, VertexId to) const;
  enum class Count : std::uint8_t { walks, paths };
  double add_way(VertexId from, VertexId to, int distance, Count count, double number, bool trunks, Route& route) const;

  std::string shape_;
  std::string path_;
  FabricFile file_;
  int cables_ = 0;
  std::vector<Trunk> trunks_;
  std::vector<LinkId> trunk_of_;
  // By the vertex that they come from and by the one that they lead to, in the order of the file.
  std::vector<Arc> arcs_;
  std::vector<std::size_t> first_from_;  ///< by vertex, and one more
  std::vector<Arrival> arrivals_;
  std::vector<std::size_t> first_arrival_;
  std::vector<Table> tables_;
  std::vector<std::int32_t> table_of_;  ///< by endpoint
};

/// The fabric that a text describes as a file would. It is called given:NAME. Throws InputError "NAME:LINE: what is wrong"; a name that is
/// empty, or has a comma or '='.
std::shared_ptr<const Topology> fabric_from_text(std::string_view text, const std::string& name);

/// Any fabric as the text of such a file: vertices, groups, links and their speeds. What a file does not say is left out: grids,
/// ways that are not shortest, and all times but those of links.
std::string fabric_file_text(const Fabric& fabric);

}  // namespace heddle
