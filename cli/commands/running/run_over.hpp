// SPDX-License-Identifier: Apache-2.0
// `heddle run --over`: each process makes the same calls; the first one reports.
#pragma once

#include <iosfwd>

#include "cli/flags/run_flags.hpp"

namespace heddle {

/// Of this process; options.over is set. Returns its exit status. Throws InputError on the first process alone, before anything has
/// run.
int run_over(const RunOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
