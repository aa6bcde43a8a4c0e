// SPDX-License-Identifier: Apache-2.0
// From the flags of a sweep, as written, to the sweep that they say.
#pragma once

#include "cli/flags/sweep_flags.hpp"
#include "lab/sweep/sweep.hpp"

namespace heddle {

/// Throws InputError that names the flag.
Sweep read_sweep(const SweepFlags& options);

}  // namespace heddle
