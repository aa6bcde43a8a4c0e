// SPDX-License-Identifier: Apache-2.0
// What files leave out, and their steps show.
#pragma once

#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// Whether a schedule works on two vectors (it uses its input and its output, and writes all of each output) or on one. Its root is
/// known.
PlaceModes guess_modes(const ScheduleProgram& program);

/// The rank that a schedule's collective goes out from: the only one that never receives, and never sends for one that ends there;
/// where several do, or none, 0.
int guess_root(const ScheduleProgram& program);

}  // namespace heddle
