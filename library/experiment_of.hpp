// SPDX-License-Identifier: Apache-2.0
// The public words as experiments.
#pragma once

#include "heddle/run.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// Throws InputError for flags that `heddle run` has not.
Experiment experiment_of(const Machine& machine, const Call& call, const Settings& settings);

}  // namespace heddle
