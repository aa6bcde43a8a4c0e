// SPDX-License-Identifier: Apache-2.0
// `heddle list`: the algorithms that there are, as the registry describes them.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

struct ListOptions {
  std::optional<std::string> collective;
  std::optional<std::string> algorithm;
  std::vector<std::string> plugins;
  std::optional<std::string> schedule;
  std::optional<std::string> svg;  ///< the file of its picture
  bool json = false;
  bool markdown = false;
};

void add_list_command(CLI::App& app, ListOptions& options);

/// Returns the exit status. Throws InputError for a name that there is not.
int list_command(const ListOptions& options, std::ostream& out);

}  // namespace heddle
