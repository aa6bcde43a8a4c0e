// SPDX-License-Identifier: Apache-2.0
// Runs any row of the registry on the plain communicator, where nothing but core/ is under it, and compares with a result
// that is computed straight from the collective's definition. Of the experiment's fabric there are the grid, the groups and
// what a message costs, and nothing that takes time.
#pragma once

#include <cstdint>
#include <string>

#include "heddle/registry.hpp"
#include "lab/run/setup.hpp"

namespace heddle::testing {

struct Witnessed {
  std::string failure;     ///< "" if every call's result was right on every rank and no input was changed
  int rounds = 0;          ///< of all calls
  std::int64_t bytes = 0;  ///< the most that one rank sent
};

/// The experiment's calls by this row, back to back on one communicator with different data; roots advance by one from call to
/// call. Without a skew.
Witnessed witness(const Setup& setup, const Algorithm& algorithm);

/// One call: the rounds of several, from several roots, do not add up.
Witnessed witness_one_call(Setup setup, const Algorithm& algorithm);

}  // namespace heddle::testing
