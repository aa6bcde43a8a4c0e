// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/run_progress.hpp"

#include <fmt/format.h>

#include <ostream>

namespace heddle {

void SweepProgress::progressed(int finished, int all, double seconds_gone, std::optional<double> seconds_left) {
  bar_.show(progress_text(finished, all, "runs", seconds_gone, seconds_left));
}

void SweepProgress::interrupted(int under_way) {
  bar_.clear();
  err_ << fmt::format("heddle: interrupted; {} run{} under way: a second to end, or none with Ctrl-C again\n", under_way,
                      under_way == 1 ? "" : "s")
       << std::flush;
}

}  // namespace heddle
