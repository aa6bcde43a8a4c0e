// SPDX-License-Identifier: Apache-2.0
// From the flags of a run, as written, to the experiment that they say.
#pragma once

#include <optional>

#include "cli/flags/run_flags.hpp"
#include "lab/experiment/experiment.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// Throws InputError that names the flag. The algorithms, of which there may be many, stay in `options`.
Experiment read_experiment(const RunOptions& options);

/// What --tune and --tune-budget ask for; no value: nothing. Throws InputError that names the flag.
std::optional<Tuning> read_tuning(const RunOptions& options);

/// Sets up all of its algorithms, to be run by processes if there are some. Throws InputError that names the flag.
Setup set_up(const RunOptions& options, const std::shared_ptr<ProcessRanks>& over = nullptr);

}  // namespace heddle
