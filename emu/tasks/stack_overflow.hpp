// SPDX-License-Identifier: Apache-2.0
// A task that runs over the end of its stack ends the process: the last line says which rank, and how large its stack is.
#pragma once

#include <string_view>

#include "emu/tasks/running_task.hpp"

namespace heddle::emu {

/// What comes after the rank in that line, which begins with "heddle: ".
inline constexpr std::string_view kOverflowWords = " ran over the end of its stack of ";

/// Writes the line to standard error. A signal handler may call it.
void say_overflow(const RunningTask& task);

/// From now on, for the calling thread's tasks: SIGSEGV and SIGBUS that come of a stack's end are first said, by a handler on a
/// stack of its own; then they, and all others, are whose they were before. Cheap where that is so already.
void watch_for_overflows();

}  // namespace heddle::emu
