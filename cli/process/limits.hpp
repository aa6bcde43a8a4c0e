// SPDX-License-Identifier: Apache-2.0
// The limits that a shell sets (ulimit -t, ulimit -f): reaching one is heddle's own end, with a line and exit status 2, and no
// fault of what it ran.
#pragma once

#include <iosfwd>

namespace heddle {

/// From now on: at the limit on CPU time the process ends with a line and kExitBadInput. At the limit on a file's size the write
/// fails, and exit_status_within_limits says so. For the command's main alone.
void take_limits_as_errors();

/// `status`; or, with a line on `err`, kExitBadInput if the limit on a file's size was reached.
int exit_status_within_limits(int status, std::ostream& err);

}  // namespace heddle
