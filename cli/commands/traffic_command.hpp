// SPDX-License-Identifier: Apache-2.0
// `heddle traffic`: what algorithms send between a fabric's groups, over many placements of their ranks.
#pragma once

#include <iosfwd>

#include "lab/studies/traffic/traffic_plan.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written.
struct TrafficOptions {
  TrafficRequest asked;
  bool json = false;
  bool wide = false;
};

void add_traffic_command(CLI::App& app, TrafficOptions& options);

/// Returns the exit status. Throws InputError.
int traffic_command(const TrafficOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
