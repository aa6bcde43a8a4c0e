// SPDX-License-Identifier: Apache-2.0
// Work of the checks on all cores. Ranks never run here: they may block, and oneTBB's threads must not.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>

#include "core/sanitizers.hpp"

namespace heddle::emu {

/// body(i) for each i of [0, n), in any order and several at once; a body must touch nothing that another one touches. All of
/// it together touches `bytes`: too few of them are not worth waking other threads.
template <class Body>
void for_each_in_parallel(std::int64_t n, std::size_t bytes, const Body& body) {
#if HEDDLE_THREAD_SANITIZER
  // ThreadSanitizer does not see how oneTBB, which is not instrumented, orders its threads.
  bytes = 0;
#endif
  constexpr std::size_t kWorthOtherThreads = std::size_t{1} << 18;
  if (n <= 1 || bytes < kWorthOtherThreads) {
    for (std::int64_t i = 0; i < n; ++i) body(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, n), [&](const tbb::blocked_range<std::int64_t>& range) {
    for (std::int64_t i = range.begin(); i < range.end(); ++i) body(i);
  });
}

}  // namespace heddle::emu
