// SPDX-License-Identifier: Apache-2.0
// One function per shape of fabric, for draw_loads (drawing.hpp). `rank` is the rank on each endpoint, -1: none.
#pragma once

#include <vector>

#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

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

/// "(3,4): rank 28", "7: no rank"
std::string about_endpoint(const Topology& topology, VertexId endpoint, const std::vector<int>& rank);
/// The way from one vertex to another as drawn: it keeps to the right, `aside` from the middle, and leaves and ends that far
/// from the two centres.
DrawnLink line_between(LinkId link, Point from, Point to, double aside, double gap);
/// The same as a curve whose control point is `towards`.
DrawnLink curve_between(LinkId link, Point from, Point towards, Point to, double aside, double gap);
/// An endpoint as a circle with its rank.
DrawnVertex endpoint_circle(const Topology& topology, VertexId endpoint, const std::vector<int>& rank, Point center,
                            double radius, bool labelled);

}  // namespace heddle::pictures
