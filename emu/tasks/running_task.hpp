// SPDX-License-Identifier: Apache-2.0
// Which task runs on this thread, on a stack of heddle's own: what a signal handler may ask.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::emu {

struct RunningTask {
  const std::byte* bottom = nullptr;  ///< its stack's last usable address; nullptr: no task runs
  std::size_t guard_bytes = 0;        ///< below that; 0: none
  std::size_t stack_bytes = 0;        ///< as asked for
  int rank = -1;                      ///< whose task it is; -1: nobody's
  std::uint64_t turns = 0;            ///< that tasks have had on this thread
};

/// The calling thread's. Handlers can reach nothing but what is global or the thread's.
extern constinit thread_local RunningTask running_task;

}  // namespace heddle::emu
