// SPDX-License-Identifier: Apache-2.0
// `heddle topo`: what a fabric is, without running anything on it.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "cli/flags/fabric_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct TopoOptions {
  FabricOptions fabric;
  bool dot = false;
  std::optional<std::string> svg;  ///< a picture's file
  bool json = false;
};

void add_topo_command(CLI::App& app, TopoOptions& options);

/// Returns the exit status. Throws InputError.
int topo_command(const TopoOptions& options, std::ostream& out);

}  // namespace heddle
