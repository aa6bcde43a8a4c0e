// SPDX-License-Identifier: Apache-2.0
// Which rows are fuzzed: heddle's or plugins', by collective, name and tag.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle {

struct FuzzedRows {
  std::string collective = "all";
  std::string algorithms = "all";         ///< or names with commas, schedules' files ("msccl:ring.xml") among them
  std::optional<std::string> tags = {};   ///< with commas: rows that have one of them (tags_of)
  std::vector<std::string> plugins = {};  ///< libraries whose rows are fuzzed in place of heddle's own
};

/// Plugins are loaded in a process of its own first, which must end within `limit`: what a library does when it is loaded is the user's
/// as well. No other thread may run then. Throws InputError that names the flag of `heddle fuzz`.
std::vector<Algorithm> fuzzed_rows(const FuzzedRows& which, std::chrono::duration<double> limit = std::chrono::seconds(60));

}  // namespace heddle
