// SPDX-License-Identifier: Apache-2.0
// Which kinds of threads a test can run ranks on.
#pragma once

#include <vector>

#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"

namespace heddle {

/// ThreadSanitizer cannot follow switches of user-level threads: there only kernel threads.
inline std::vector<Threads> threads_under_test() {
  if (default_threads() == Threads::kernel) return {Threads::kernel};
  return {Threads::user, Threads::kernel};
}

/// Runs the test case once for each of them.
inline Threads each_kind_of_threads() { return GENERATE(from_range(threads_under_test())); }

inline EmulationSettings on(Threads threads) {
  EmulationSettings settings;
  settings.threads = threads;
  return settings;
}

}  // namespace heddle
