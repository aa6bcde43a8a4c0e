// SPDX-License-Identifier: Apache-2.0
// What becomes of a program that a signal would end: its rank fails, and the run says where.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace heddle::mpi {

/// From now on, for the whole process: a signal that comes of what a rank's program does (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT) is
/// the failure of its rank, with the function and the place. Where it comes within a call of MPI, what heddle works on is not whole: then
/// heddle says so and ends. Where no rank runs, the signal does what it did before. Called once, by a process's owner.
void fail_ranks_on_signals();

/// For a handler of SIGSEGV that knows that the stack of the calling thread's rank, of so many bytes, has ended: the rank fails.
/// Returns if no rank runs. `context` as the handler has it.
void fail_rank_on_overflow(std::size_t stack_bytes, const void* context);

/// For a handler of one's own: where the program of the calling thread's rank is, and what has happened there: "in work at ring.c:41, a
/// division by zero". Empty where no rank runs, or one that is within a call of MPI. It allocates: where the program holds the
/// heap's lock it never returns.
std::string place_of_signal(int signal, const siginfo_t* info, const void* context);

}  // namespace heddle::mpi
