// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace heddle::emu {

/// Fetches all lines of an object of this size into the cache.
[[gnu::always_inline]] inline void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(object) + line);
}

}  // namespace heddle::emu
