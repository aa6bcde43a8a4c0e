// SPDX-License-Identifier: Apache-2.0
// `heddle sweep`: one collective at many points, over all cores or all processes of a run.
#pragma once

#include <iosfwd>

#include "cli/flags/sweep_flags.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/sweep/sweep_runner.hpp"

namespace heddle {

/// Returns the exit status; of one that was interrupted, 128 and the signal's number. Throws InputError before anything has run
/// or been written. With --spread all processes of a run call it, and the first speaks. `run` is there for tests. Ends the process by itself where an interrupt gave up runs under way.
int sweep_command(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run = run_algorithm);

}  // namespace heddle
