// SPDX-License-Identifier: Apache-2.0
// Independent work over all cores: the checks' loops, and whole runs. Ranks never run here: they may block, and oneTBB's threads
// must not.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>

#include "core/sanitizers.hpp"

namespace heddle::emu {

// ThreadSanitizer does not see how oneTBB, which is not instrumented, orders its threads.
#if HEDDLE_THREAD_SANITIZER
inline constexpr bool kUsesOtherThreads = false;
#else
inline constexpr bool kUsesOtherThreads = true;
#endif

/// body(i) for each i of [0, n), in any order and several at once, but one at a time by each thread: for bodies that differ a
/// hundredfold in what they take. A body must touch nothing that another one touches. Blocks until all are done; rethrows what
/// the first body threw.
template <class Body>
void parallel_for(std::int64_t n, const Body& body) {
  const auto run = [&](const tbb::blocked_range<std::int64_t>& range) {
    for (std::int64_t i = range.begin(); i < range.end(); ++i) body(i);
  };
  const tbb::blocked_range<std::int64_t> all(0, n, 1);
  if (kUsesOtherThreads)
    tbb::parallel_for(all, run, tbb::simple_partitioner());
  else
    run(all);
}

/// The same for many short bodies that are alike. All of them together touch `bytes`: too few are not worth waking other threads.
template <class Body>
void parallel_for(std::int64_t n, std::size_t bytes, const Body& body) {
  constexpr std::size_t kWorthOtherThreads = std::size_t{1} << 18;
  const auto run = [&](const tbb::blocked_range<std::int64_t>& range) {
    for (std::int64_t i = range.begin(); i < range.end(); ++i) body(i);
  };
  const tbb::blocked_range<std::int64_t> all(0, n);
  if (kUsesOtherThreads && n > 1 && bytes >= kWorthOtherThreads)
    tbb::parallel_for(all, run);
  else
    run(all);
}

}  // namespace heddle::emu
