// SPDX-License-Identifier: Apache-2.0
// Every collective in its shortest form: everyone sends straight to whoever needs it, at once. Right by inspection, and in a
// place of its own so that tests can spoil it.
#pragma once

#include "heddle/collective.hpp"

namespace heddle::testing {

/// Right for every p, root, count, blocks, in place and out of place, and operations that do not commute.
CollectiveFunction direct(Collective collective);

/// This rank's own block of the vector that it passed: all of it, or a part of the whole one in place.
VectorView own_output(const Communicator& comm, const CollectiveArguments& call);

}  // namespace heddle::testing
