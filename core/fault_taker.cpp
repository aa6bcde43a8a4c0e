// SPDX-License-Identifier: Apache-2.0
#include "core/fault_taker.hpp"

#include <atomic>

namespace heddle {

namespace {

// What a handler can reach is global.
std::atomic<FaultTaker> taker_of_all = nullptr;

}  // namespace

void let_take_faults(FaultTaker taker) { taker_of_all = taker; }
FaultTaker fault_taker() { return taker_of_all; }

}  // namespace heddle
