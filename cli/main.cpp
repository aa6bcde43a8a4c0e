// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/process/process.hpp"
#include "core/sanitizers.hpp"
#include "emu/run/emulate.hpp"
#include "mpi/image/block_owner.hpp"
#include "mpi/run/signals.hpp"
#include "show/terminal/terminal.hpp"

#if !HEDDLE_ADDRESS_SANITIZER && !HEDDLE_THREAD_SANITIZER  // which have their own
// The C++ library's functions free by it what an MPI program has allocated, with guard zones: a string that grows, a stream. All else is
// as the library has it. `new` stays the library's.
void operator delete(void* address) noexcept {
  if (const heddle_mpi_program* const owner = heddle::mpi::owner_of_block(address))
    owner->release_block(address, nullptr);
  else
    std::free(address);
}
void operator delete(void* address, std::size_t) noexcept { operator delete(address); }
extern "C" __attribute__((alias("_ZdlPv"))) void heddle_operator_delete(void* address) noexcept;
#endif

int main(int argc, char** argv) {
  heddle::prepare_for_no_memory();
  heddle::take_limits_as_errors();
  heddle::mpi::fail_ranks_on_signals();
  heddle::install_process_handlers(heddle::mpi::fail_rank_on_overflow);
  heddle::keep_freed_memory();
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (const std::string command = argc > 0 ? heddle::command_of_link(argv[0]) : ""; !command.empty())
    arguments.insert(arguments.begin(), command);
  const std::optional<heddle::Terminal> terminal = heddle::terminal_of(STDOUT_FILENO);
  const auto run = [&](std::ostream& out) {
    return heddle::exit_status_within_limits(heddle::run_command_line(arguments, out, std::cerr), std::cerr);
  };
  if (!terminal || heddle::keeps_long_lines(arguments)) return run(std::cout);
  heddle::TerminalStream out(*std::cout.rdbuf(), *terminal);
  return run(out);
}
