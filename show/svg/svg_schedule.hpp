// SPDX-License-Identifier: Apache-2.0
// `heddle list --schedule … --svg`: an algorithm's rounds as a picture, a round a panel.
#pragma once

#include <string>

#include "lab/studies/schedule_picture.hpp"

namespace heddle::pictures {

/// Ranks stand on the fabric's grid, or on a circle; an arrow for each message. What ranks do alike has one colour and one line
/// of words. Beyond 64 ranks the words alone; beyond 24 rounds the first of them, and a line says so.
std::string svg_schedule(const ScheduleDrawing& drawing);

}  // namespace heddle::pictures
