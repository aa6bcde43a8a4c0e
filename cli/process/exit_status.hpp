// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle {

/// What the command returns to its caller. InterruptGuard (cli/process/interrupt.hpp) has those of signals.
inline constexpr int kExitOk = 0;           ///< everything ran and was right
inline constexpr int kExitCheckFailed = 1;  ///< a check failed, or heddle itself did
inline constexpr int kExitBadInput = 2;     ///< what was asked for cannot be: one line on `err` says what would be right

}  // namespace heddle
