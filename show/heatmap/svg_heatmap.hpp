// SPDX-License-Identifier: Apache-2.0
// A fabric's drawing with the loads of a run as colours and widths, a legend and the most loaded links by name.
#pragma once

#include <string>
#include <vector>

#include "show/drawing/drawing.hpp"
#include "show/heatmap/link_load.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::pictures {

/// What stands above a picture.
struct PictureTitle {
  std::string headline;                 ///< "allreduce, ring, on torus:4x4: 12.3 us"
  std::vector<std::string> details;     ///< a line each
  std::vector<std::string> scale = {};  ///< what the scale is of, a line each, below the legend's title
};

/// The whole file. The same bytes for the same input.
std::string svg_heatmap(const Drawing& drawing, const LinkLoads& loads, const Fabric& fabric, const PictureTitle& title);

}  // namespace heddle::pictures
