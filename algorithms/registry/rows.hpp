// SPDX-License-Identifier: Apache-2.0
// The functions that give the registry its rows, one for each file of an algorithm. The file allreduce/ring.cpp ends with
//
//   std::vector<Algorithm> ring_rows() { return {…}; }
//
// in namespace heddle::allreduce. CMake writes the table of all of them from its list of these files (heddle_add_algorithms).
#pragma once

#include <span>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace heddle {

using RowsFunction = std::vector<Algorithm> (*)();

/// In the order of the list. Safe from any thread.
std::span<const RowsFunction> row_functions();

}  // namespace heddle
