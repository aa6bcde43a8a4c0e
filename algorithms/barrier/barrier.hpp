// SPDX-License-Identifier: Apache-2.0
// Barriers that can be called directly, without the registry. The story of each is in its own file: the idea, a picture,
// rounds, bytes, time, limits, source. An algorithm needs a declaration here only if other code calls it; all of them are rows
// of the registry.
#pragma once

#include "core/communicator.hpp"

namespace heddle::barrier {

// Block: nobody returns before everyone has called.

void dissemination(Communicator& comm);
void binomial(Communicator& comm);

}  // namespace heddle::barrier
