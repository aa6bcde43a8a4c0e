// SPDX-License-Identifier: Apache-2.0
// `heddle mpicc` and `heddle mpicxx`: compile MPI programs that heddle runs. All that follows is the compiler's, flags too.
#include "cli/commands/compiler_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <ostream>
#include <span>

#include "heddle/errors.hpp"
#include "mpi/compiler/compiler_files.hpp"
#include "process/child.hpp"

namespace heddle {

bool is_compiler_command(const std::string& name) { return name == "mpicc" || name == "mpicxx"; }

int run_compiler(const std::vector<std::string>& words, std::ostream& out) {
  const bool is_c = words.front() == "mpicc";
  const char* const chosen = std::getenv(is_c ? "HEDDLE_CC" : "HEDDLE_CXX");
  const auto settings =
      mpi::installed_compiler(is_c ? mpi::CompilerLanguage::c : mpi::CompilerLanguage::cxx, program_of("self"),
                              chosen != nullptr ? std::optional<std::string>(chosen) : std::nullopt);
  mpi::CompilerCall call = mpi::compiler_call(settings, std::span(words).subspan(1));
  if (call.kind == mpi::CompilerCall::Kind::print) {
    out << mpi::shell_text(call.words) << '\n';
    return 0;
  }
  std::vector<char*> arguments;
  for (std::string& word : call.words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw InputError(fmt::format("{}: the compiler cannot be started ({}); install one, or set {}", call.words.front(),
                               std::strerror(errno), is_c ? "HEDDLE_CC" : "HEDDLE_CXX"));
}

}  // namespace heddle
