// SPDX-License-Identifier: Apache-2.0
// `heddle mpicc` and `heddle mpicxx`: what they make of their arguments. A program becomes a shared object that the system can start
// too: heddle loads it once for each rank, and it runs from a shell as any program does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::mpi {

/// What is installed where.
struct CompilerSettings {
  std::vector<std::string> compiler;         ///< "cc", or "ccache" and "gcc"
  std::vector<std::string> include_folders;  ///< mpi.h and heddle_mpi.h are in one of them
  std::string entry_archive;                 ///< libheddle_mpi_entry.a with its folder
  std::string command_folder{};              ///< heddle is in it: a program that is started alone starts heddle
  std::string home{};                        ///< bin/mpicc and its like are in it; empty: heddle is not installed
};

/// What is to be done: words to run, or a text to print.
struct CompilerCall {
  enum class Kind : std::uint8_t { run, print };
  Kind kind;
  std::vector<std::string> words;  ///< of the command; of the text, to be written with shell_text()
};

/// `arguments` are those of cc. Beside them: -show and -showme print the command, -showme:compile and -showme:link the flags that it
/// adds for either, -showme:incdirs, -showme:libdirs, -showme:libs and -showme:command parts of these (as Open MPI and MPICH have them);
/// -showme:version which heddle it is, and -showme:home the folder that is heddle's MPI_HOME.
/// Throws InputError for what cannot be made a rank's program: -static, initial-exec thread-locals, sanitizers with memory of their own.
CompilerCall compiler_call(const CompilerSettings& settings, std::span<const std::string> arguments);

/// The words as a shell reads them, in one line.
std::string shell_text(std::span<const std::string> words);

}  // namespace heddle::mpi
