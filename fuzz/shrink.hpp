// SPDX-License-Identifier: Apache-2.0
// From a case that fails to the smallest that still does.
#pragma once

#include <functional>
#include <optional>

#include "core/errors.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle {

struct Shrunk {
  Experiment smallest;
  Failure failure;   ///< of the smallest
  int attempts = 0;  ///< runs that it took
};

/// Fewer ranks before fewer elements before simpler everything else: tries simpler cases, keeps each that fails too, whatever
/// way, and starts again from there, until none does, `most_attempts` have been run, or `is_over` (if given) says so. Of many ranks
/// first half as many, and single features less. `what` fails with `failure`; `run` says
/// how another case does, as failure_of: it throws InputError for a case that cannot be.
Shrunk shrink(const Experiment& what, const Failure& failure,
              const std::function<std::optional<Failure>(const Experiment&)>& run, int most_attempts,
              const std::function<bool()>& is_over = nullptr);

}  // namespace heddle
