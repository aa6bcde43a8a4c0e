// SPDX-License-Identifier: Apache-2.0
// `heddle run`: a collective's algorithms, each reported in its turn.
#pragma once

#include <iosfwd>
#include <span>

#include "lab/experiment/run_algorithm.hpp"
#include "lab/experiment/setup.hpp"
#include "lab/sweep/run/sweep_runner.hpp"
#include "show/document/reporter.hpp"

namespace heddle {

/// Runs all of the plan's algorithms, whatever becomes of one, then explains on `err` what failed. Returns the exit status. Up to
/// `workers` run side by side, if they need little memory; those of the wall clock never do, and code that may not be safe for
/// several threads should not. `run` makes each of them. Throws what is no failed check (after all reporters have ended): InputError, or an error of heddle
/// itself.
int execute(const Setup& plan, std::span<Reporter* const> reporters, std::ostream& err, int workers = 1,
            const RunFunction& run = run_algorithm);

}  // namespace heddle
