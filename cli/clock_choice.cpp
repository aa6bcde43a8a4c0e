// SPDX-License-Identifier: Apache-2.0
#include "cli/clock_choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "cli/flag_value.hpp"
#include "cli/sweep/interrupt.hpp"
#include "core/read_number.hpp"

namespace heddle {

namespace {

std::optional<double> read_dilation(std::string_view text) {
  if (text == "auto") return std::nullopt;
  const auto dilation = read_number<double>(text);
  if (dilation && *dilation > 0 && std::isfinite(*dilation)) return dilation;
  throw InputError(fmt::format("'{}' is no dilation; auto, or wall time per emulated time such as 1000", text));
}

double read_deadline(std::string_view text) {
  const double seconds = parse_seconds(text);
  if (!(seconds > 0)) throw InputError(fmt::format("'{}': it must be more than 0; try 30s", text));
  return seconds;
}

/// Only the virtual clock can do what these ask for.
void require_wall_flags(const RunOptions& options) {
  if (options.threads == "user")
    throw InputError("--threads user: under --clock wall ranks run on kernel threads; leave --threads out");
  if (options.schedule_seed)
    throw InputError("--schedule-seed: under --clock wall the machine orders what happens; leave --schedule-seed out");
  for (const auto& [flag, value] : {std::pair("--schedule", options.schedule), std::pair("--explore", options.explore)}) {
    if (value) throw InputError(fmt::format("{0}: under --clock wall the machine orders what happens; leave {0} out", flag));
  }
}

}  // namespace

ClockChoice read_clock(const RunOptions& options) {
  ClockChoice choice;
  choice.is_wall = read_flag("--clock", options.clock, [](std::string_view text) {
    if (text != "virtual" && text != "wall") throw InputError(fmt::format("'{}' is no clock; virtual or wall", text));
    return text == "wall";
  });
  if (options.dilation) choice.dilation = read_flag("--dilate", *options.dilation, read_dilation);
  if (options.deadline) choice.deadline_seconds = read_flag("--deadline", *options.deadline, read_deadline);
  if (choice.is_wall) {
    require_wall_flags(options);
  } else if (options.dilation || options.deadline) {
    throw InputError(fmt::format("{}: the virtual clock knows no wall time; add --clock wall",
                                 options.dilation ? "--dilate" : "--deadline"));
  }
  return choice;
}

WallClockSettings wall_settings(const ClockChoice& choice, double dilation) {
  return {.dilation = dilation, .deadline_seconds = choice.deadline_seconds, .interrupted = [] {
            return InterruptGuard::count() > 0;
          }};
}

}  // namespace heddle
