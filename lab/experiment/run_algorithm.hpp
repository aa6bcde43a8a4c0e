// SPDX-License-Identifier: Apache-2.0
// One algorithm of a plan, run and checked.
#pragma once

#include "lab/experiment/outcome.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// Blocks until it is done. A check that fails is an outcome; throws InputError for a call that cannot be made. Plans may be
/// run side by side on several threads.
Outcome run_algorithm(const Setup& plan, const Algorithm& algorithm);

}  // namespace heddle
