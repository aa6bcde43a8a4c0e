// SPDX-License-Identifier: Apache-2.0
#include "lab/clock/clock_choice.hpp"

namespace heddle {

WallClockSettings wall_settings(const ClockChoice& choice, double dilation) {
  return {.dilation = dilation, .deadline_seconds = choice.deadline_seconds};
}

}  // namespace heddle
