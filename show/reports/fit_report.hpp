// SPDX-License-Identifier: Apache-2.0
// A fabric's speeds that were found from measured runs, for people, for scripts, and as a preset.
#pragma once

#include <iosfwd>
#include <string>

#include "lab/results/fabric_fit.hpp"

namespace heddle {

/// The parameters, a row for each run, and how well runs are predicted that were not fitted. `topology` is as asked for.
void print_fit(const FabricFit& fit, const std::string& topology, std::ostream& out);

/// One object: `context`, `parameters` (null: not determined) with their `standard_errors` as parts of them, `runs`, and of the
/// runs `fitted` and `predicted` how far off emulated times are, as parts of the measured. Nothing of the host.
std::string json_of_fit(const FabricFit& fit, const std::string& topology);

/// A preset's file (topo/presets/preset_file.hpp), whose summary says where it comes from.
std::string preset_of_fit(const FabricFit& fit, const std::string& topology);

}  // namespace heddle
