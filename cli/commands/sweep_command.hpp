// SPDX-License-Identifier: Apache-2.0
// `heddle sweep`: one collective at many points, over all cores.
#pragma once

#include <iosfwd>

#include "cli/flags/sweep_flags.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/sweep/sweep_runner.hpp"

namespace heddle {

/// Returns the exit status; of one that was interrupted, 128 and the signal's number. Throws InputError before anything has run
/// or been written. `run` is there for tests. Ends the process by itself where an interrupt gave up runs under way.
int sweep_command(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run = run_algorithm);

}  // namespace heddle
