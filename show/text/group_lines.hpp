// SPDX-License-Identifier: Apache-2.0
// What the table says of groups and of what else is on the fabric: lines that begin with #, around the rows.
#pragma once

#include <string>

#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// "12.345": as a row's time.
std::string microseconds(Time time);

/// Below a row: when each group was done, how long it takes alone, and what that amounts to; sets of different names apart.
std::string group_lines(const Setup& plan, const Outcome& outcome);

/// Below a row of a run that is skewed, or has given counts: the link that carried most, beside the mean of those that carried anything.
std::string hottest_link_line(const Setup& plan, const Report& report);

/// Above the rows, of a run with background flows.
std::string background_line(const Setup& plan);

}  // namespace heddle
