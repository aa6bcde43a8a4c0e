// SPDX-License-Identifier: Apache-2.0
// The registry's rows for allreduce, in documented order.
#pragma once

#include <vector>

#include "algorithms/registry.hpp"

namespace heddle::allreduce {

std::vector<Algorithm> rows();

}  // namespace heddle::allreduce
