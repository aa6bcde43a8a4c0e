// SPDX-License-Identifier: Apache-2.0
// `heddle topo --svg`: a fabric as a picture, without loads.
#pragma once

#include <string>

#include "topo/fabric/fabric.hpp"

namespace heddle::pictures {

/// Each tier of links in a colour of its own, with its speed and its number of cables in the legend. Throws InputError that says
/// why a fabric has no drawing (draw_loads).
std::string svg_fabric(const Fabric& fabric);

}  // namespace heddle::pictures
