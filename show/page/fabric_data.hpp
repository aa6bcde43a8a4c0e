// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "show/drawing/drawing.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::pages {

/// Where everything of a fabric stands, and of each link that is drawn its name and bandwidth.
nlohmann::ordered_json json_of_drawing(const pictures::Drawing& drawing, const Fabric& fabric);

/// The links of the drawing, ascending, each once.
std::vector<LinkId> links_of(const pictures::Drawing& drawing);

}  // namespace heddle::pages
