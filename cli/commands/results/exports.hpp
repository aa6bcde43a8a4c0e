// SPDX-License-Identifier: Apache-2.0
// The formats of `heddle export`, each a command of its own below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"

namespace heddle {

/// -O,--out, as all of them have it.
void add_out_flag(CLI::App& command, std::optional<std::string>& path);

/// openmpi, mpich, nccl: what sweeps have found out, as files that libraries take their choice of algorithms from. On `err` is what the
/// library does not have.
std::vector<Command> add_decision_exports(CLI::App& parent);

/// msccl, goal: an algorithm's checked run as a schedule, in the formats that other runtimes and simulators read.
std::vector<Command> add_schedule_exports(CLI::App& parent);

}  // namespace heddle
