// SPDX-License-Identifier: Apache-2.0
// The commands of heddle, each as a value: what its flags are, and what it does.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

struct Command {
  const CLI::App* parser = nullptr;  ///< has its flags, and knows whether it was given
  /// Once its flags are parsed. Returns the exit status (cli/process/process.hpp). Throws InputError, before anything has run or been
  /// written.
  std::function<int(std::ostream& out, std::ostream& err)> run = nullptr;
  bool runs_algorithms = false;  ///< and so may need threads
};

// Each adds its flags to `command`, which outlives what is returned, and keeps what is parsed.

// running: what runs a collective here, or programs elsewhere.
Command add_run_command(CLI::App* command);
/// `words`: of the whole command line after `heddle`, which a journal keeps.
Command add_sweep_command(CLI::App* command, const std::vector<std::string>& words);
Command add_launch_command(CLI::App* command);
Command add_mpirun_command(CLI::App* command, const std::vector<std::string>& words);

// studies: many runs that answer one question.
Command add_traffic_command(CLI::App* command);
Command add_credits_command(CLI::App* command);
Command add_claims_command(CLI::App* command);
Command add_fuzz_command(CLI::App* command);

// results: what is made of files with results.
Command add_merge_command(CLI::App* command);
Command add_compare_command(CLI::App* command);
Command add_export_command(CLI::App* command);
Command add_fit_command(CLI::App* command);

// reference: what there is.
Command add_list_command(CLI::App* command);
Command add_topo_command(CLI::App* command);
Command add_help_command(CLI::App* command);

}  // namespace heddle
