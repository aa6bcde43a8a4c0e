// SPDX-License-Identifier: Apache-2.0
// The `heddle` command as a function: no globals, so that tests call it in process.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace heddle {

/// What the command returns to its caller.
inline constexpr int kExitOk = 0;           ///< everything ran and was right
inline constexpr int kExitCheckFailed = 1;  ///< a check failed, or heddle itself did
inline constexpr int kExitBadInput = 2;     ///< what was asked for cannot be: one line on `err` says what would be right

/// Runs `heddle <arguments>`; the program's own name is not among them. Tables and JSON go to `out`, everything that went wrong
/// to `err`. Returns the exit status; throws nothing.
int run_command_line(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) noexcept;

}  // namespace heddle
