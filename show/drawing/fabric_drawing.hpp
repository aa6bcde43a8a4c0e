// SPDX-License-Identifier: Apache-2.0
// A small fabric as letters and for Graphviz.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "lab/studies/schedule_picture.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

// A small fabric as a picture of letters.

/// Rings, and grids of one and two dimensions, as their cables run; switched fabrics as layers of boxes with the endpoints
/// below, where cables join neighbouring layers only. No value for others, and for what is wider or higher than a screen.
std::optional<std::string> draw_fabric(const Topology& topology);

// A fabric for Graphviz.

/// Writes an undirected graph in the DOT language: switches as boxes above endpoints, layer by layer; rings and grids of two
/// dimensions at their coordinates; parallel cables as one edge that says how many ("x18"); a colour per tier of links. Throws
/// InputError if there are too many cables to draw.
void write_dot(const Topology& topology, std::ostream& out);

// What switches offer, for people.

/// "alu, multicast, radix 64"; empty for a switch that only forwards.
std::string offers_text(const SwitchOffers& offers);

/// Switches that offer the same.
struct OfferingSwitches {
  std::string offers;
  std::vector<VertexId> switches;
};
/// In the order of their first switch; without those that only forward.
std::vector<OfferingSwitches> offering_switches(const Topology& topology);

/// "s0-s7, s9, s16-s140 by 4": vertices in ascending order, by their names.
std::string ranges_text(const std::vector<VertexId>& vertices, const Topology& topology);

}  // namespace heddle

// Pictures of what runs on a fabric, and of the fabric itself.

namespace heddle::pictures {

// `heddle topo --svg`: a fabric as a picture, without loads.

/// Each tier of links in a colour of its own, with its speed and its number of cables in the legend. Throws InputError that says
/// why a fabric has no drawing (draw_loads).
std::string svg_fabric(const Fabric& fabric);

// `heddle list --schedule … --svg`: an algorithm's rounds as a picture, a round a panel.

/// Ranks stand on the fabric's grid, or on a circle; an arrow for each message. What ranks do alike has one colour and one line
/// of words. Beyond 64 ranks the words alone; beyond 24 rounds the first of them, and a line says so.
std::string svg_schedule(const ScheduleDrawing& drawing);

}  // namespace heddle::pictures
