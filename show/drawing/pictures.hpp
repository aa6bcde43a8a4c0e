// SPDX-License-Identifier: Apache-2.0
// Pictures of what runs on a fabric, and of the fabric itself.
#pragma once

#include <string>

#include "lab/studies/schedule_picture.hpp"
#include "topo/fabric/fabric.hpp"

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
