// SPDX-License-Identifier: Apache-2.0
// Where a process has its memory.
#pragma once

#include <cstdint>

namespace heddle {

/// What this process allocates from now on lies elsewhere, by a distance that `amount` ≥ 1 sets: on the heap, and mapped. What it
/// takes for that is never given back: for a process that ends soon. Safe from any thread.
void shift_addresses(std::uint32_t amount);

}  // namespace heddle
