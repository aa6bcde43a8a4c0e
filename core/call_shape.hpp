// SPDX-License-Identifier: Apache-2.0
// What an algorithm is asked to serve, as the ranks that call it see it.
#pragma once

#include "heddle/registry.hpp"

namespace heddle {

/// Of one rank's call on a communicator, with elements of `type`. The same on every rank that has the whole vector's blocks or count.
Shape shape_of_call(const Communicator& over, Collective collective, const CollectiveArguments& arguments, Datatype type);

}  // namespace heddle
