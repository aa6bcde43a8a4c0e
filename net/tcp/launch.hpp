// SPDX-License-Identifier: Apache-2.0
// Processes of one run, each a rank, here or on other machines.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "net/tcp/hosts_file.hpp"

namespace heddle::net {

struct LaunchSettings {
  int ranks = 1;
  std::vector<std::string> command;      ///< and its arguments
  std::vector<HostLine> hosts;           ///< none: all on this machine
  std::string hosts_name = "the hosts";  ///< of their file, for errors
  std::optional<std::string> bind;       ///< none: loopback here, any address with hosts
  std::string remote_shell = "ssh";      ///< starts a command on a host: `ssh HOST COMMAND`
};

/// Starts a process for each rank, with what settings_from_environment() reads, and waits until all have ended. One that fails is named in a
/// line on `err`, and the others get SIGTERM and, two seconds later, SIGKILL; so do all on SIGINT and SIGTERM, which are passed on. Returns
/// the exit status of the first that failed, 128 and the signal's number of one that a signal ended. A token is drawn, and goes through
/// the environment or the remote shell's standard input, never a command line. Blocks. While it runs, SIGINT, SIGTERM and SIGHUP
/// of this process are its own: one launch at a time. Throws InputError for what cannot be started.
int launch(const LaunchSettings& settings, std::ostream& err);

}  // namespace heddle::net
