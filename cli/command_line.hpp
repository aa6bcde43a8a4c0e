// SPDX-License-Identifier: Apache-2.0
// The `heddle` command as a function: no globals, so that tests call it in process.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace heddle {

/// Runs `heddle <arguments>`; the program's own name is not among them. Tables and JSON go to `out`, everything that went wrong
/// to `err`. Returns the exit status
/// (cli/process/process.hpp); throws nothing.
int run_command_line(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) noexcept;

/// Reads `heddle <arguments>` as run_command_line does, and runs nothing: values of flags are taken as they are. Throws
/// InputError for what there is not: a command, a flag, a value too many.
void check_command_line(const std::vector<std::string>& arguments);

/// "mpicc" of a link to the command that is called ".../heddle-mpicc", for tools that take one word; empty: it is none.
std::string command_of_link(std::string_view program);

/// Whether lines of the output are as long as they are though it is a terminal: --wide, and what is for programs (-, --format …).
bool keeps_long_lines(const std::vector<std::string>& arguments);

}  // namespace heddle
