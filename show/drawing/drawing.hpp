// SPDX-License-Identifier: Apache-2.0
// A fabric laid out on a plane, without loads: where each link, vertex and word stands. Colours and widths come later
// (heatmap.hpp). Lengths are pixels, y grows downwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

// A fabric's cables as a drawing has them: parallel ones as one.

/// All cables between two vertices. The upper one is farther from the endpoints, or has the smaller number.
struct CableBundle {
  VertexId upper;
  VertexId lower;
  int tier;
  int cables;
};

/// By upper, then by lower end. A link without a link back is a cable, too.
std::vector<CableBundle> cable_bundles(const Topology& topology);

/// Whether all vertices are on a grid whose cables are those of a mesh, or of a torus if it wraps, one each, and there are no
/// others.
bool is_plain_grid(const Topology& topology);

/// How many links a vertex is from the nearest endpoint: endpoints 0, leaves 1, spines 2. A switch that no endpoint reaches:
/// -1.
std::vector<int> levels(const Topology& topology);

}  // namespace heddle

namespace heddle::pictures {

struct Point {
  double x = 0;
  double y = 0;
};

/// Links that are drawn as one line (parallel cables, one direction); the most loaded of them gives the colour.
struct DrawnLink {
  std::vector<LinkId> links;
  Point from;
  Point to;
  bool arrow = true;                  ///< a head at its end
  double slender = 1;                 ///< ≤ 1, where lines are many: times the width of others
  std::optional<Point> towards = {};  ///< the control point of a curve (quadratic); none: straight
};

/// A link as a bar of full length `width` at full load that grows from one side, or as a field that is filled.
struct DrawnBar {
  enum class Growth : std::uint8_t { left, right, filled };

  LinkId link = 0;
  Point corner;  ///< upper left
  double width = 0;
  double height = 0;
  Growth growth = Growth::filled;
};

struct DrawnVertex {
  enum class Shape : std::uint8_t { circle, box };

  Point center;
  double width = 0;
  double height = 0;
  Shape shape = Shape::circle;
  bool used = true;        ///< a switch, or an endpoint with a rank on it
  std::string label = {};  ///< in it; may be empty
  double font = 11;        ///< of the label
  bool upright = false;    ///< the label runs from below to above
  int rank = -1;           ///< on it; -1: none, or a switch
  std::string about = {};  ///< in full, for whoever points at it: "(3,4): rank 28"
};

struct DrawnText {
  enum class Anchor : std::uint8_t { start, middle, end };

  Point at;
  std::string text;
  double font = 11;
  Anchor anchor = Anchor::middle;
  bool upright = false;
};

struct Drawing {
  double width = 0;
  double height = 0;
  double widest = 6;  ///< of a link's line
  std::vector<DrawnLink> links = {};
  std::vector<DrawnBar> bars = {};
  std::vector<DrawnVertex> vertices = {};
  std::vector<DrawnText> texts = {};
  std::vector<std::string> notes = {};  ///< how to read it, a line each
};

/// Which rank is on each endpoint, -1 where there is none.
std::vector<int> ranks_of_endpoints(const Placement& placement, const Topology& topology);

/// Rings, full meshes, grids of up to three dimensions, lines of endpoints that are joined all to all or by switches (HyperX,
/// HammingMesh), switches in layers; any other fabric on a circle. Throws InputError that says why a fabric has no drawing (it is
/// too large) and what to do instead.
Drawing draw_loads(const Topology& topology, const Placement& placement);

// One function per shape of fabric, for draw_loads. `rank` is the rank on each endpoint, -1: none.

/// A ring, or endpoints joined all to all if they are few enough to be distinguished.
Drawing draw_circle(const Topology& topology, const std::vector<int>& rank);
/// Endpoints joined all to all: a row for each sender, a column for each receiver.
Drawing draw_matrix(const Topology& topology, const std::vector<int>& rank);
/// A plain grid (is_plain_grid) of one, two or three dimensions; three as slices.
Drawing draw_grid(const Topology& topology, const std::vector<int>& rank);
/// Switches above the endpoints, layer by layer. Throws InputError where cables do not join neighbouring layers, or there are
/// too many endpoints.
Drawing draw_layers(const Topology& topology, const std::vector<int>& rank);

/// A grid of one or two dimensions whose cables lead along its lines, to any endpoint of a line or to a switch of the line.
Drawing draw_lines(const Topology& topology, const std::vector<int>& rank);
/// Whether draw_lines can.
bool has_lines(const Topology& topology);
/// Any fabric: endpoints on a circle, in groups, switches on circles inside it. Throws InputError where a switch reaches no
/// endpoint.
Drawing draw_rings(const Topology& topology, const std::vector<int>& rank);

// Words that all of them use.

/// The way from one vertex to another as drawn: it keeps to the right, `aside` from the middle, and leaves and ends that far
/// from the two centres.
DrawnLink line_between(LinkId link, Point from, Point to, double aside, double gap);
/// The same as a curve whose control point is `towards`.
DrawnLink curve_between(LinkId link, Point from, Point towards, Point to, double aside, double gap);
/// An endpoint as a circle with its rank.
DrawnVertex endpoint_circle(const Topology& topology, VertexId endpoint, const std::vector<int>& rank, Point center,
                            double radius, bool labelled);

// Links in classes.

/// Links that a reader thinks of together.
struct LinkClass {
  std::string name;  ///< "dimension 0, up"; "leaf to spine, up"
  std::vector<LinkId> links;
};

/// Every link in one class: of a plain grid by dimension and direction, else by tier and, where switches are in layers, by
/// direction. None is empty.
std::vector<LinkClass> link_classes(const Topology& topology);

/// Whether switches are in layers: each cable joins neighbouring ones (levels()).
bool is_layered(const Topology& topology, const std::vector<int>& level);

/// +1 or -1, the way a link leads along a line of a grid: over the border where it closes the line.
int step_along(int from, int to);

}  // namespace heddle::pictures
