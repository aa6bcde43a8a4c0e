// SPDX-License-Identifier: Apache-2.0
// Runs a function on every rank of an emulated fabric and measures it.
#pragma once

#include "emu/messages/measured_communicator.hpp"
#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "heddle/communicator.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// Runs `function` as ranks 0 … placement.size()-1 from emulated time 0 and returns when all have ended, every message has
/// been received and every request waited for. `function` is called once per rank, concurrently where threads are kernel
/// threads. Throws CheckError when something went wrong: the first rank that threw (the others are released at once), a
/// deadlock, a message too long for its receive, a buffer changed in flight, a message or request left over. InputError:
/// settings out of range, or a rank count that would not fit the machine's memory. RunStopped: settings.interrupted said so,
/// or the wall clock's deadline came; a rank is released when it next calls its communicator (under the wall clock: waits for it),
/// so one that computes on and on is waited for.
Report emulate(const Fabric& fabric, const Placement& placement, const RankFunction& function,
               const EmulationSettings& settings = {});

namespace emu {

/// As emulate(), for functions that ask for more than messages: heddle's own checks.
Report emulate_measured(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
                        const EmulationSettings& settings);

}  // namespace emu

/// Of the whole process, and only on request: the command asks for it, a library does not. From now on std::terminate leaves a
/// rank behind that cannot be unwound any further while its run is given up (a std::thread that nobody has joined), instead of
/// ending the process; and SIGSEGV or SIGBUS at the end of a rank's stack is said in a line that names the rank, before whoever
/// handled it before does. `first`, if given, is called before that line, in the handler, with the stack's size and the handler's
/// context; it need not return. From any thread.
using OverflowHandler = void (*)(std::size_t stack_bytes, const void* context);
void install_process_handlers(OverflowHandler first = nullptr);

}  // namespace heddle
