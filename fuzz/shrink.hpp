// SPDX-License-Identifier: Apache-2.0
// From a case that fails to the smallest that still does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/cases/run_case.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

struct Shrunk {
  enum class Ended : std::uint8_t {
    no_simpler,  ///< no simpler case fails so
    runs,        ///< after as many as it may take
    work,        ///< after as much work as it may take
    told         ///< somebody said so
  };
  struct Other {
    Experiment what;
    Failure failure;
  };

  Experiment smallest;
  Failure failure;   ///< of the smallest
  int attempts = 0;  ///< runs that it took
  Ended ended = Ended::no_simpler;
  /// The first simpler case that failed in a graver way, and so was not followed.
  std::optional<Other> graver = {};
};

/// What shrinking may take. Both are counted, so that it goes the same way on any machine.
struct ShrinkBudget {
  int runs = 1000;
  /// Turns of ranks, and elements; some seconds' worth.
  std::uint64_t work = 8'000'000;
};

/// The simplest fabrics of just so many endpoints: what a row needs (a grid, switches that compute, groups) is on one of them.
std::vector<std::string> simple_topologies(int ranks);

/// How grave a failure is: what ends or stops the run before what gives a wrong result, and that before what is right within roundings.
int gravity(CheckError::Kind kind);

/// Fewer ranks before fewer elements before simpler everything else: tries simpler cases, keeps each that fails with a failure of the
/// same kind, and starts again from there, until none does, the budget is spent, or `is_over` (if given) says so. Of many ranks
/// first half as many, and single features less. `what` fails with `failure`; `run` says
/// how another case does, as end_of: it throws InputError for a case that cannot be.
Shrunk shrink(const Experiment& what, const Failure& failure, const std::function<CaseEnd(const Experiment&)>& run,
              const ShrinkBudget& budget, const std::function<bool()>& is_over = nullptr);

}  // namespace heddle
