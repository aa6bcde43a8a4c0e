// SPDX-License-Identifier: Apache-2.0
// Runs a WindowPlan on sets of contributions instead of data.
#pragma once

#include <string>

#include "algorithms/executors/windows.hpp"

namespace heddle::testing {

/// What is wrong when all ranks of a ring follow the plan, in words, or "": each contribution reaches each rank exactly
/// once, every sum is that of its window, and the whole window's comes first.
std::string failure_of(const plans::WindowPlan& plan);

}  // namespace heddle::testing
