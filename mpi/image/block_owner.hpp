// SPDX-License-Identifier: Apache-2.0
// Whose guarded block an address is: a library may free what a program has allocated, and the C++ library does.
#pragma once

#include <atomic>
#include <cstring>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

/// Whether there may be guarded blocks, and what lies in front of other blocks may be read, as it may be in libc's heap. `operator
/// delete` asks it, which is handed nothing else.
inline std::atomic<bool> reads_zones = false;

/// The copy whose guarded block begins at this address, which was allocated and not freed; null: it is no such block. Any thread.
inline const heddle_mpi_program* owner_of_block(const void* address) noexcept {
  if (!reads_zones.load(std::memory_order_relaxed) || address == nullptr) return nullptr;
  heddle_heap_zone zone;
  std::memcpy(&zone, static_cast<const std::byte*>(address) - sizeof(zone), sizeof(zone));
  const std::uint64_t pattern = heddle_heap_zone_of(address, nullptr).owner;
  const auto* const owner = reinterpret_cast<const heddle_mpi_program*>(zone.owner ^ pattern);
  return owner != nullptr && heddle_heap_zone_of(address, owner).mark == zone.mark ? owner : nullptr;
}

}  // namespace heddle::mpi
