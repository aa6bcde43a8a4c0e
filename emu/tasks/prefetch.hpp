// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace heddle::emu {

/// Fetches the cache line at this address; any address, and nullptr, will do.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address);
  // g++ takes a function that does nothing but prefetch for one without effects, and drops calls of it. This, which is no
  // instruction, is an effect.
  asm volatile("");
}

/// Fetches all lines of an object of this size into the cache.
inline void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) prefetch_line(static_cast<const char*>(object) + line);
}

}  // namespace heddle::emu
