// SPDX-License-Identifier: Apache-2.0
// From a case that fails to the smallest that still does.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/fuzz_case.hpp"
#include "fuzz/run_case.hpp"

namespace heddle {

struct Shrunk {
  FuzzCase smallest;
  FuzzFailure failure;  ///< of the smallest
  int attempts = 0;     ///< runs that it took
};

/// Fewer ranks before fewer elements before simpler everything else: tries simpler cases, keeps each that fails too, whatever
/// way, and starts again from there, until none does or `most_attempts` have been run. `what` fails with `failure`; `run` says
/// how another case does, as failure_of: it throws InputError for a case that cannot be.
Shrunk shrink(const FuzzCase& what, const FuzzFailure& failure,
              const std::function<std::optional<FuzzFailure>(const FuzzCase&)>& run, int most_attempts);

}  // namespace heddle
