// SPDX-License-Identifier: Apache-2.0
// Independent runs over all cores. Ranks themselves run on threads of their own: they may block, and oneTBB's must not.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>

#include "core/sanitizers.hpp"

namespace heddle {

/// body(i) for each i of [0, n), in any order and several at once, but one at a time by each thread: they differ a hundredfold
/// in what they take. Blocks until all are done; rethrows what the first body threw.
template <class Body>
void side_by_side(std::size_t n, const Body& body) {
#if HEDDLE_THREAD_SANITIZER
  // ThreadSanitizer does not see how oneTBB, which is not instrumented, orders its threads.
  for (std::size_t i = 0; i < n; ++i) body(i);
#else
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, n, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
      },
      tbb::simple_partitioner());
#endif
}

}  // namespace heddle
