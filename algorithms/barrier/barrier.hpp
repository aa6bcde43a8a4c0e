// SPDX-License-Identifier: Apache-2.0
// Barriers. The stories are in dissemination.cpp and binomial.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::barrier {

// Block: nobody returns before everyone has called.

void dissemination(Communicator& comm);
void binomial(Communicator& comm);

}  // namespace heddle::barrier
