// SPDX-License-Identifier: Apache-2.0
// Whose guarded block an address is: a library may free what a program has allocated, and the C++ library does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

/// Whether there may be guarded blocks, and what lies in front of other blocks may be read, as it may be in libc's heap. `operator
/// delete` asks it, which is handed nothing else.
inline std::atomic<bool> reads_zones = false;

/// What lies in front of a block: AddressSanitizer has it for its own, and there it is none of these.
__attribute__((no_sanitize("address"))) inline heddle_heap_zone zone_before(const void* address) noexcept {
  struct Words {  // whatever the address is
    std::uint64_t mark, owner;
  } __attribute__((packed, may_alias));
  const Words& words = static_cast<const Words*>(address)[-1];
  return {words.mark, words.owner};
}

/// The copy whose guarded block begins at this address, which was allocated and not freed; null: it is no such block. Any thread.
inline const heddle_mpi_program* owner_of_block(const void* address) noexcept {
  if (!reads_zones.load(std::memory_order_relaxed) || address == nullptr) return nullptr;
  const heddle_heap_zone zone = zone_before(address);
  const std::uint64_t pattern = heddle_heap_zone_of(address, nullptr).owner;
  const auto* const owner = reinterpret_cast<const heddle_mpi_program*>(zone.owner ^ pattern);
  return owner != nullptr && heddle_heap_zone_of(address, owner).mark == zone.mark ? owner : nullptr;
}

}  // namespace heddle::mpi
