// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fuzz/cases/run_case.hpp"

namespace heddle {

/// For each collective how many of its rows were run on each kind of rank count; below, each row that some kind was never
/// drawn for. With `by_row`, a line for each row with its cases instead.
std::string coverage_table(const FuzzCoverage& coverage, bool by_row);

}  // namespace heddle
