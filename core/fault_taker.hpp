// SPDX-License-Identifier: Apache-2.0
// Who takes it when the processor refuses what a rank's code does: SIGSEGV, SIGBUS, SIGFPE, SIGILL.
#pragma once

#include <csignal>

namespace heddle {

struct TakenFault {
  bool goes_on = false;          ///< `context` is another now: the thread goes on there
  const char* called = nullptr;  ///< else: the function that was called when it happened; nullptr: not known
};

/// Called by a signal handler, of the thread whose fault it is: it may use only what such a handler may. `rank` is that of the run.
using FaultTaker = TakenFault (*)(int signal, const siginfo_t& info, void* context, int rank);

/// Of the whole process. It is asked where install_process_handlers() has been called. From any thread.
void let_take_faults(FaultTaker taker);
/// nullptr: nobody.
FaultTaker fault_taker();

}  // namespace heddle
