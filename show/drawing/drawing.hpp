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

}  // namespace heddle::pictures
