// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Reads `heddle <arguments>` as run_command_line does, and runs nothing: values of flags are taken as they are. Throws
/// InputError for what there is not: a command, a flag, a value too many.
void check_command_line(const std::vector<std::string>& arguments);

}  // namespace heddle
