// SPDX-License-Identifier: Apache-2.0
// Programs of tests/mpi/programs, compiled as `heddle mpicc` does, and a host that loads copies of them.
#pragma once

#include <csetjmp>
#include <string>
#include <vector>

#include "mpi/compiler/compiler_call.hpp"
#include "mpi/image/program_copy.hpp"

namespace heddle::testing {

/// The archive and the headers of this build, for cc and c++ or for others.
mpi::CompilerSettings compiler_settings(const std::string& compiler);

/// A folder for this process's files, removed at its end.
std::string scratch_folder();
/// A file in it with this text.
std::string written(const std::string& name, const std::string& text);

/// Compiles a source of tests/mpi/programs, or a whole path, with these flags; each combination once. The path of what came out.
/// Throws if the compiler fails.
std::string compiled(const std::string& source, const std::vector<std::string>& flags = {}, const std::string& compiler = "");

/// What ranks have asked of the host; the tests' copies have one at a time.
struct HostLog {
  std::vector<std::string> calls;   ///< "exit 3", "sleep 5", "MPI_Win_create", …
  std::vector<const void*> places;  ///< of the calls that have one
  std::vector<heddle_heap_fault> heap_faults;
  std::int64_t now = 0;               ///< nanoseconds: sleep adds to it
  std::jmp_buf* after_end = nullptr;  ///< where exit and its like go on
};

HostLog& host_log();
/// Its functions write into host_log(). With `guards_heap` malloc is guarded.
const heddle_mpi_table& host_table(bool guards_heap = false);

/// Calls `main` of a copy, and says what it returned or ended with.
int run_main(const mpi::ProgramCopy& copy, const std::vector<std::string>& arguments = {});

}  // namespace heddle::testing
