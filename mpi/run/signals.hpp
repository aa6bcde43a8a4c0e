// SPDX-License-Identifier: Apache-2.0
// What becomes of a program that a signal would end: its rank fails, and the run says where.
#pragma once

#include <cstddef>

namespace heddle::mpi {

/// From now on, for the whole process: a signal that comes of what a rank's program does (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT) is
/// the failure of its rank, with the function and the place. Where it comes within a call of MPI, what heddle works on is not whole: then
/// heddle says so and ends. Where no rank runs, the signal does what it did before. Called once, by a process's owner.
void fail_ranks_on_signals();

/// For a handler of SIGSEGV that knows that the stack of the calling thread's rank, of so many bytes, has ended: the rank fails.
/// Returns if no rank runs. `context` as the handler has it.
void fail_rank_on_overflow(std::size_t stack_bytes, const void* context);

}  // namespace heddle::mpi
