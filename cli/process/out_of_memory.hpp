// SPDX-License-Identifier: Apache-2.0
// What the command does when the system has no memory for it.
#pragma once

namespace heddle {

/// Sets a little memory aside, for the whole process. When an allocation is refused, half of it is given back and the allocation
/// tried again; the next that is refused throws, and the other half is for what must be done then. Where nobody can catch that
/// (a destructor that allocates), the process says so in a line and ends with kExitBadInput. Once, at the start of main().
void prepare_for_no_memory();

}  // namespace heddle
