// SPDX-License-Identifier: Apache-2.0
// From the flags of a sweep, as written, to the sweep that they say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/sweep_flags.hpp"
#include "lab/sweep/sweep.hpp"

namespace heddle {

/// Throws InputError that names the flag.
Sweep read_sweep(const SweepFlags& options);

/// "torus:8x8,star:512,alu,multicast" is two topologies: a comma parts them where a word and a colon follow, as every family
/// but no option of one is written.
std::vector<std::string> split_topologies(std::string_view text);

}  // namespace heddle
