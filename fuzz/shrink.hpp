// SPDX-License-Identifier: Apache-2.0
// From a case that fails to the smallest that still does.
#pragma once

#include <span>

#include "fuzz/fuzz_case.hpp"
#include "fuzz/run_case.hpp"

namespace heddle {

struct Shrunk {
  FuzzCase smallest;
  FuzzFailure failure;  ///< of the smallest
  int attempts = 0;     ///< runs that it took
};

/// Fewer ranks before fewer elements before simpler everything else: tries simpler cases, keeps each that fails too, whatever
/// way, and starts again from there, until none does or `most_attempts` have been run. `what` fails with `failure`.
Shrunk shrink(const FuzzCase& what, const FuzzFailure& failure, std::span<const Algorithm> rows, int most_attempts);

}  // namespace heddle
