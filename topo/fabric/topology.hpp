// SPDX-License-Identifier: Apache-2.0
// A fabric's shape as data: a directed graph of endpoints and switches, and the routes over it. No time, no threads.
// Immutable after construction; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/datatype.hpp"
#include "heddle/grid.hpp"
#include "topo/fabric/routing.hpp"

namespace heddle {

/// Vertices are numbered endpoints first (0 … endpoints()-1), then switches. Links are numbered 0 … links()-1 and are
/// directed: a physical cable is two.
using VertexId = std::int32_t;
using LinkId = std::int32_t;

struct LinkEnds {
  VertexId from;
  VertexId to;
};

/// Where a link stands on the routes that cross it: along each, stages never fall, and positions within a stage rise where the
/// family can promise it. What the virtual channels of packets are numbered by (docs/model.md, "Packets").
struct LinkOrder {
  int stage = 0;
  int position = 0;
};

/// Links that every split route takes all or none of, and evenly, so that they act as one link of their bandwidths' sum: the
/// uplinks of a leaf in a Clos. A split route names the trunk, which counts as one link of the path; other routes name its
/// links.
struct Trunk {
  LinkId first = 0;
  int stride = 1;
  int count = 1;

  LinkId operator[](int i) const { return first + i * stride; }
};

/// The paths of one message, flattened so that it can be reused without allocation.
class Route {
 public:
  struct Path {
    std::int32_t first;  ///< index into links()
    std::int32_t count;
    double share;  ///< of the message; the shares of a route add up to 1
  };

  const std::vector<LinkId>& links() const { return links_; }
  const std::vector<Path>& paths() const { return paths_; }

  void clear() { links_.clear(), paths_.clear(); }
  void add_link(LinkId link) { links_.push_back(link); }
  /// All links added since the last path was closed form a path that carries `share` of the message.
  void close_path(double share) {
    const std::int32_t first = paths_.empty() ? 0 : paths_.back().first + paths_.back().count;
    paths_.push_back({first, static_cast<std::int32_t>(links_.size()) - first, share});
  }
  /// Gives its paths other shares; one that gets nothing is no path any more, though links() keeps its links.
  void share_out(std::span<const double> shares) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] == 0) continue;
      paths_[kept] = paths_[i];
      paths_[kept++].share = shares[i];
    }
    paths_.resize(kept);
  }

 private:
  std::vector<LinkId> links_;
  std::vector<Path> paths_;
};

/// Links at even distances: first, first + stride, …; `count` of them. The stride may be negative.
struct LinkRun {
  LinkId first;
  std::int32_t stride;
  std::int32_t count;

  LinkId operator[](std::int32_t i) const { return first + i * stride; }
};

/// A route whose paths are runs: as long a way as it may be, it takes little memory and little time to write down.
class RunRoute {
 public:
  struct Path {
    std::int32_t first;  ///< index into runs()
    std::int32_t count;
    std::int32_t links;
    double share;
  };

  const std::vector<LinkRun>& runs() const { return runs_; }
  std::span<const LinkRun> runs(const Path& path) const {
    return std::span(runs_).subspan(static_cast<std::size_t>(path.first), static_cast<std::size_t>(path.count));
  }
  const std::vector<Path>& paths() const { return paths_; }

  void clear() { runs_.clear(), paths_.clear(); }
  /// Replaces it by a route of single links.
  template <class FindRoute>
  void assign(const FindRoute& find_route) {
    clear();
    find_route(single_);
    for (const Route::Path& path : single_.paths()) {
      for (std::int32_t i = path.first; i < path.first + path.count; ++i)
        add_run({single_.links()[static_cast<std::size_t>(i)], 0, 1});
      close_path(path.share);
    }
  }
  void add_run(const LinkRun& run) { runs_.push_back(run); }
  /// As Route::close_path.
  void close_path(double share) {
    Path path{paths_.empty() ? 0 : paths_.back().first + paths_.back().count, 0, 0, share};
    path.count = static_cast<std::int32_t>(runs_.size()) - path.first;
    for (const LinkRun& run : runs(path)) path.links += run.count;
    paths_.push_back(path);
  }

 private:
  std::vector<LinkRun> runs_;
  std::vector<Path> paths_;
  Route single_;  ///< what assign() has been given, kept for its memory
};

/// Of the links of one tier and the switches at their upper ends.
struct TierProperties {
  std::string name = "links";  ///< "leaf to spine"
  int switches = 0;
  int cables = 0;
  double oversubscription = 1;  ///< bandwidth into the switches below this tier's links over that of the links, at equal speeds
};

/// Facts that a reader compares fabrics by.
struct TopologyProperties {
  int endpoints = 0;
  int switches = 0;
  int cables = 0;    ///< pairs of directed links
  int degree = 0;    ///< the most cables at one endpoint
  int diameter = 0;  ///< links on the longest shortest route between endpoints
  /// Directed links, one way, over the narrowest even cut; where no formula is known, over the one between the first half of
  /// the endpoints and the second, which bounds it from above (docs/topologies.md says which family has which).
  int bisection = 0;
  std::vector<TierProperties> tiers = {{}};
};

/// Tiers of links, one for each dimension: "dimension 0". `cables` are those of each.
std::vector<TierProperties> tiers_by_dimension(std::span<const int> cables);

/// What a switch can do besides forwarding (Collectives Explainer 04, §1).
struct SwitchOffers {
  bool alu = false;             ///< many in, one out: reduces what comes in element by element
  bool multicast = false;       ///< one in, many out: sends copies
  bool scatter_gather = false;  ///< many in, many out: takes one transfer from a rank apart by destination

  int radix = std::numeric_limits<int>::max();  ///< the most ports of this switch that can take part
  std::int64_t alignment = 1;                   ///< bytes: a vector must be a multiple of it
  /// bf16 or f16: where the vector is of f32, the ALU takes and gives numbers of this type and computes in f32. No value, and
  /// of all other types: as they are.
  std::optional<Datatype> precision;

  bool computes() const { return alu || multicast || scatter_gather; }
};

struct LinkSpeed;

/// Whether the ways of a split route are equally wide, each alone and where they share links, so that the same share of a message
/// on each is what they can carry (topo/fabric/ways.hpp).
enum class WayWidths : std::uint8_t {
  equal,               ///< as long as the links of each tier have one speed
  equal_at_one_speed,  ///< where the tiers have the same one as well
  any,
};

class Topology {
 public:
  virtual ~Topology() = default;

  /// The canonical text that parse_topology reads back: "torus:8x8", "star:72,alu".
  std::string spec() const { return shape() + offers_text_; }
  virtual int endpoints() const = 0;
  virtual int switches() const = 0;
  virtual int links() const = 0;
  virtual LinkEnds ends(LinkId link) const = 0;
  /// Trunks are numbered on from the links: links() … links()+trunks()-1.
  virtual int trunks() const { return 0; }
  virtual Trunk trunk(LinkId trunk) const { return {trunk, 1, 1}; }
  /// The trunk that a link belongs to, or the link itself.
  virtual LinkId trunk_of(LinkId link) const { return link; }
  /// The tier of a link, 0 the innermost.
  virtual int tier(LinkId) const { return 0; }
  /// The same fabric with a tier of links for each dimension, in the order of its text: where speeds are given by dimension. Null:
  /// its tiers are what they are.
  virtual std::shared_ptr<const Topology> by_dimension() const { return nullptr; }
  /// The speeds of the tiers where the fabric's description gives them, else nothing. FabricSettings may say otherwise.
  virtual std::vector<LinkSpeed> tier_speeds() const;
  /// Whether messages between endpoints pass through endpoints (a direct network) or through switches only.
  virtual bool is_direct() const = 0;

  /// Of a link. Here: from an endpoint 0, to one 2, else 1; all are 1 where messages pass through endpoints.
  virtual LinkOrder order(LinkId link) const;
  /// How many virtual channels its routes need so that packets never wait for each other in a ring, ≥ 1.
  virtual int channels(Routing routing) const;

  /// Replaces `route` by the way from one endpoint to another. Computed, not looked up. Both are equal: no paths. A split route
  /// names trunks where there are any, every other route links. Its shares are even; FilledRoutes goes by what links have.
  virtual void route(VertexId from, VertexId to, Routing routing, Route& route) const = 0;
  /// The same fabric for ranks that sit on these endpoints, where its routes go by that. Null: they do not.
  virtual std::shared_ptr<const Topology> with_ranks_on(std::span<const VertexId> /*endpoints*/) const { return nullptr; }
  virtual WayWidths way_widths() const { return WayWidths::equal; }
  /// The same route. Where paths are long, few runs; else a run for each link, of stride 0. Two runs of a route are the same or have
  /// no link in common.
  virtual void route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const;

  /// Endpoints that are near each other, innermost first: those of one leaf, of one pod. The last tier is one group.
  virtual int group_tiers() const { return 1; }
  /// The group of an endpoint at a tier, 0 …; groups of a tier are parts of those of the next.
  virtual int group(VertexId /*endpoint*/, int /*tier*/) const { return 0; }

  /// What a switch does besides forwarding.
  const SwitchOffers& offers(VertexId a_switch) const;
  /// `by_switch` has a place for each switch; `text` is how spec() says it (",alu=leaf"). Called once, before the topology is
  /// shared.
  void set_offers(std::vector<SwitchOffers> by_switch, std::string text);

  virtual TopologyProperties properties() const = 0;
  /// Dimensions, coordinates and wrap-around where the fabric has such a shape.
  virtual const Grid* grid() const { return nullptr; }

  /// Of the file that describes it (docs/fabric-file.md); empty: no file does.
  virtual std::string checksum() const { return {}; }

  /// "(3,4)" on a grid, "s0" for a switch, else the number.
  virtual std::string vertex_name(VertexId vertex) const;
  /// "(3,4)->(3,5)".
  std::string link_name(LinkId link) const;

 protected:
  /// The spec without what the switches offer.
  virtual std::string shape() const = 0;

 private:
  std::vector<SwitchOffers> offers_;  ///< by switch; empty: none offers anything
  std::string offers_text_;
};

// Vertices and links of a topology by the names that it gives them.

/// "5", "(0,1)", "s0", "leaf3": an endpoint by its number, anything by its name. Throws InputError with the nearest name, or,
/// where none is near, with `help`.
VertexId find_vertex(std::string_view name, const Topology& topology, std::string_view help);

/// All that lead straight from one vertex to another: cables may lie side by side. Throws InputError if there is none.
std::vector<LinkId> links_between(VertexId from, VertexId to, const Topology& topology);

/// At commas that stand in no parentheses: "(0,1)->(0,2),3->4".
std::vector<std::string_view> split_outside_parentheses(std::string_view text);

}  // namespace heddle
