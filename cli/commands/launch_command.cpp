// SPDX-License-Identifier: Apache-2.0
// `heddle launch`: the processes of a run over TCP.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "net/tcp/launch.hpp"

namespace heddle {

namespace {

struct LaunchOptions {
  std::optional<int> ranks;
  std::optional<std::string> hosts;
  std::optional<std::string> bind;
  std::vector<std::string> program;
};

constexpr int kMostLaunched = 4096;

std::string hosts_text(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--hosts '{}': {}", path, error.what()));
  }
}

/// Runs the program once for each rank and waits. Returns the exit status of the first that failed.
int launch_program(const LaunchOptions& options, std::ostream& err) {
  const std::string example = "heddle launch -n 4 -- ./program";
  if (!options.ranks) throw InputError("-n, how many ranks, is missing; try: " + example);
  if (*options.ranks < 1 || *options.ranks > kMostLaunched)
    throw InputError(fmt::format("-n '{}': not a number of ranks; try one from 1 to {}", *options.ranks, kMostLaunched));
  if (options.program.empty()) throw InputError("the program is missing; try: " + example);
  net::LaunchSettings settings;
  settings.ranks = *options.ranks;
  settings.command = options.program;
  settings.bind = options.bind;
  if (options.hosts) {
    settings.hosts = net::parse_hosts(hosts_text(*options.hosts), *options.hosts);
    settings.hosts_name = *options.hosts;
  }
  return net::launch(settings, err);
}

}  // namespace

Command add_launch_command(CLI::App* command) {
  const auto options = std::make_shared<LaunchOptions>();
  command->add_option("PROGRAM", options->program, "The program and its arguments, behind --")->type_name("");
  FlagGroup(*command).add("-n,--ranks", options->ranks, "N", "How many ranks");
  const FlagGroup machines(*command, "Machines");
  machines.add("--hosts", options->hosts, "PATH", "Start them over ssh on the hosts of this file, a line each: host slots=4");
  machines.add("--bind", options->bind, "ADDRESS",
               "Where each rank listens: 127.0.0.1 unless given; with --hosts 0.0.0.0, any address of its machine");
  command->footer(
      "Each process has HEDDLE_RANK, HEDDLE_RANKS, HEDDLE_RENDEZVOUS and a secret HEDDLE_TOKEN in its environment.\n"
      "When one fails, a line says how, and the others are ended. The exit status is the first failing one's, 128+N of one\n"
      "that signal N ended.\n"
      "\n"
      "Examples:\n"
      "  heddle launch -n 4 -- ./program --its-flag\n"
      "  heddle launch -n 8 --hosts hosts.txt -- ./program");
  return {command, [options](std::ostream&, std::ostream& err) { return launch_program(*options, err); }};
}

}  // namespace heddle
