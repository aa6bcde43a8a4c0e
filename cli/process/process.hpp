// SPDX-License-Identifier: Apache-2.0
// The process: its exit status, its limits, and what it says where memory ends.
#pragma once

#include <iosfwd>

namespace heddle {

/// What the command returns to its caller. InterruptGuard (cli/process/interrupt.hpp) has those of signals.
inline constexpr int kExitOk = 0;           ///< everything ran and was right
inline constexpr int kExitCheckFailed = 1;  ///< a check failed, or heddle itself did
inline constexpr int kExitBadInput = 2;     ///< what was asked for cannot be: one line on `err` says what would be right

// The limits that a shell sets (ulimit -t, ulimit -f): reaching one is heddle's own end, with a line and exit status 2, and no
// fault of what it ran.

/// From now on: at the limit on CPU time the process ends with a line and kExitBadInput. At the limit on a file's size the write
/// fails, and exit_status_within_limits says so. For the command's main alone.
void take_limits_as_errors();

/// `status`; or, with a line on `err`, kExitBadInput if the limit on a file's size was reached.
int exit_status_within_limits(int status, std::ostream& err);

// What the command does when the system has no memory for it.

/// Sets a little memory aside, for the whole process. When an allocation is refused, half of it is given back and the allocation
/// tried again; the next that is refused throws, and the other half is for what must be done then. Where nobody can catch that
/// (a destructor that allocates), the process says so in a line and ends with kExitBadInput. Once, at the start of main().
void prepare_for_no_memory();

/// A run takes and gives back its messages' payloads a million times, and the next run takes its memory again: what is freed stays
/// with the process, which need not have it cleared by the system each time. All threads take memory of one heap, which grow_heap()
/// makes larger at once. Once, at the start of main().
void keep_freed_memory();

/// Before the first thread of a command that makes so many `runs` side by side: where they are many, threads have heaps of their own.
/// For one heap they would wait for each other, which costs more than pages of 4 KiB: 16 sweeping runs of 8 ranks took twice as long.
void separate_heaps(int runs);

}  // namespace heddle
