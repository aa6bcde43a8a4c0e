// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/command_tree.hpp"

#include <CLI/App.hpp>

namespace heddle {

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  const bool is_first = parent == nullptr || parent->get_parent() == nullptr;
  return is_first ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

const CLI::App& given_command(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return given.empty() ? app : given_command(*given.front());
}

std::vector<const CLI::App*> commands_to_run(const CLI::App& app) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    const std::vector<const CLI::App*> own = commands_to_run(*command);
    if (own.empty()) all.push_back(command);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace heddle
