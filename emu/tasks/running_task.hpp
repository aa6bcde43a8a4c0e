// SPDX-License-Identifier: Apache-2.0
// Which task runs on this thread, on a stack of heddle's own: what a signal handler may ask.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/units.hpp"

namespace heddle::emu {

/// Stays as it is while the task has its stack.
struct RunningTask {
  const std::byte* bottom;  ///< its stack's last usable address
  std::size_t guard_bytes;  ///< below that; 0: none
  std::size_t stack_bytes;  ///< as asked for
  int rank;                 ///< whose task it is; -1: nobody's
};

// The calling thread's. Handlers can reach nothing but what is global or the thread's.

/// nullptr: no task runs.
extern constinit thread_local const RunningTask* running_task;
/// That tasks have had, of an engine on this thread.
extern constinit thread_local std::uint64_t turns_of_tasks;
/// Whether an engine on this thread waits until tasks on threads of their own have had their turns.
extern constinit thread_local bool waits_for_tasks;
/// Of the engine that runs on this thread; nullptr: none does, or its time is real.
extern constinit thread_local const Time* emulated_time;

}  // namespace heddle::emu
