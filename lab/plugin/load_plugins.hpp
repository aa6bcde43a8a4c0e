// SPDX-License-Identifier: Apache-2.0
// The rows of plugins (plugin.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace heddle {

/// Loads the library for the rest of the process's life and returns the rows that it registers. Throws InputError: no such
/// file, not a plugin, made for another heddle, or no rows. `path` without a slash is a file in the current directory.
std::vector<Algorithm> load_plugin(const std::string& path);

/// The rows of all of them, in this order. Throws InputError as load_plugin does, and where two have a row of one name for one
/// collective; it names the flag --plugin.
std::vector<Algorithm> load_plugins(std::span<const std::string> paths);

}  // namespace heddle
