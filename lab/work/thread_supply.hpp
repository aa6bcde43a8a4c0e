// SPDX-License-Identifier: Apache-2.0
// How many threads the system grants (ulimit -u, a container's limit). oneTBB asks for its threads when they are needed, where
// a refusal ends the process.
#pragma once

#include <functional>

namespace heddle {

/// How many of so many further threads can be made now: by making them, and ending them again. Some 20 us each.
int threads_to_be_had(int wanted);

/// Whether there are fewer than a command may want on this machine: twice its cores and one that watches.
bool are_threads_short();

/// How many of `workers` threads to run side by side, so that enough are left for oneTBB, which each may use: 1 where threads are
/// short.
int workers_to_be_had(int workers);

/// Calls `work` on this thread; where threads are short, so that what oneTBB would share among threads stays on this one.
void run_on_few_threads(const std::function<void()>& work);

}  // namespace heddle
