// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::net {

struct HostLine {
  std::string host;
  int slots = 1;  ///< ranks that it takes

  bool operator==(const HostLine&) const = default;
};

/// A line for each host, `host` or `host slots=N`; # begins a comment. `name` is the file's, for errors. Throws InputError that names the line.
std::vector<HostLine> parse_hosts(std::string_view text, std::string_view name);

/// The host of each rank: hosts in order, of each as many as it has slots. Throws InputError if there are too few.
std::vector<std::string> hosts_of_ranks(const std::vector<HostLine>& hosts, int ranks, std::string_view name);

}  // namespace heddle::net
