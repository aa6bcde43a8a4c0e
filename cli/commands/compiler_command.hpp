// SPDX-License-Identifier: Apache-2.0
// `heddle mpicc` and `heddle mpicxx`, whose arguments are a compiler's and not parsed as others' are.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"

namespace heddle {

/// So that help, man page and shells know it: what it is given is not parsed as others' arguments are.
Command add_compiler_command(CLI::App* command);

bool is_compiler_command(const std::string& name);

/// Runs the compiler in this process's place, or writes to `out` what it would run. `words`: of the command line after `heddle`.
/// Throws InputError if there is no compiler, or for what cannot be made an MPI program.
int run_compiler(const std::vector<std::string>& words, std::ostream& out);

}  // namespace heddle
