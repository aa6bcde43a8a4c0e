// SPDX-License-Identifier: Apache-2.0
// `heddle mpicc` and `heddle mpicxx`: compile MPI programs that heddle runs. All that follows is the compiler's, flags too.
#include "cli/commands/compiler_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
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

Command add_compiler_command(CLI::App* command) {
  const std::string& name = command->get_name();
  const bool is_c = name == "mpicc";
  command->prefix_command();
  command->footer(
      fmt::format("Takes what {0} takes, and adds what a program or a library needs that heddle runs. A program is one that "
                  "the system starts,\n"
                  "too: alone, it is one rank. {1} chooses another compiler.\n"
                  "\n"
                  "  -show, -showme           print the command instead of running it\n"
                  "  -showme:compile, :link   the flags that are added for either, as -compile_info and -link_info do\n"
                  "\n"
                  "Tools that take one word find the links heddle-mpicc, heddle-mpicxx and heddle-mpirun beside heddle.\n"
                  "\n"
                  "Examples:\n"
                  "  heddle {2} -O2 -g -o ring ring.{3} && heddle mpirun -n 8 ./ring\n"
                  "  heddle {2} -O2 -g -shared -o libmine.so mine.{3}",
                  is_c ? "cc" : "c++", is_c ? "HEDDLE_CC" : "HEDDLE_CXX", name, is_c ? "c" : "cpp"));
  return {command,
          [command, name](std::ostream& out, std::ostream&) {
            std::vector<std::string> words = command->remaining();
            words.insert(words.begin(), name);
            return run_compiler(words, out);
          },
          false};
}

}  // namespace heddle
