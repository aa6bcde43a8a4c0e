// SPDX-License-Identifier: Apache-2.0
// `heddle traffic`: what algorithms send between a fabric's groups, over many placements of their ranks.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written.
struct TrafficOptions {
  std::string collective;
  std::string algorithms;
  std::vector<std::string> plugins;
  std::string topology;
  std::string ranks = "16:1024:x2";
  std::string placement = "fragmented";
  std::string placements = "500";
  std::string seed = "1";
  std::optional<std::string> tier;
  bool json = false;
  bool wide = false;
};

void add_traffic_command(CLI::App& app, TrafficOptions& options);

/// Returns the exit status. Throws InputError.
int traffic_command(const TrafficOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
