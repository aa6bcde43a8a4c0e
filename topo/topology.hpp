// SPDX-License-Identifier: Apache-2.0
// A fabric's shape as data: a directed graph of endpoints and switches, and the routes over it. No time, no threads.
// Immutable after construction; safe from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/grid.hpp"

namespace heddle {

/// Vertices are numbered endpoints first (0 … endpoints()-1), then switches. Links are numbered 0 … links()-1 and are
/// directed: a physical cable is two.
using VertexId = std::int32_t;
using LinkId = std::int32_t;

struct LinkEnds {
  VertexId from;
  VertexId to;
};

/// What to do where two shortest ways tie (half-way round an even ring).
enum class TieBreak : std::uint8_t {
  split,          ///< half of the message each way: minimal adaptive routing
  deterministic,  ///< all of it the increasing way
};

std::string to_string(TieBreak tie_break);
/// "adaptive" or "deterministic". Throws InputError.
TieBreak parse_tie_break(std::string_view text);

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

 private:
  std::vector<LinkId> links_;
  std::vector<Path> paths_;
};

/// Facts that a reader compares fabrics by.
struct TopologyProperties {
  int endpoints = 0;
  int switches = 0;
  int cables = 0;     ///< pairs of directed links
  int degree = 0;     ///< the most cables at one endpoint
  int diameter = 0;   ///< links on the longest shortest route between endpoints
  int bisection = 0;  ///< directed links, one way, over the narrowest even cut
  int tiers = 1;
};

class Topology {
 public:
  virtual ~Topology() = default;

  /// The canonical text that parse_topology reads back: "torus:8x8".
  virtual std::string spec() const = 0;
  virtual int endpoints() const = 0;
  virtual int switches() const = 0;
  virtual int links() const = 0;
  virtual LinkEnds ends(LinkId link) const = 0;
  /// The tier of a link, 0 the innermost.
  virtual int tier(LinkId) const { return 0; }
  /// Whether messages between endpoints pass through endpoints (a direct network) or through switches only.
  virtual bool is_direct() const = 0;

  /// Replaces `route` by the way from one endpoint to another. Computed, not looked up. Both are equal: no paths.
  virtual void route(VertexId from, VertexId to, TieBreak tie_break, Route& route) const = 0;

  virtual TopologyProperties properties() const = 0;
  /// Dimensions, coordinates and wrap-around where the fabric has such a shape.
  virtual const Grid* grid() const { return nullptr; }

  /// "(3,4)" on a grid, "s0" for a switch, else the number.
  virtual std::string vertex_name(VertexId vertex) const;
  /// "(3,4)->(3,5)".
  std::string link_name(LinkId link) const;
};

/// "ring:16", "torus:8x8x4", "mesh:4x4", "fullmesh:8", "star:72". Throws InputError that names the text, the fault and an
/// example; an unknown family gets the nearest name.
std::shared_ptr<const Topology> parse_topology(std::string_view spec);

/// The families that parse_topology knows: name, form, one sentence.
struct TopologyFamily {
  std::string_view name;
  std::string_view example;
  std::string_view summary;
};
const std::vector<TopologyFamily>& topology_families();

}  // namespace heddle
