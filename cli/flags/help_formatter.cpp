// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/help_formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kTextWidth = 80;

}  // namespace

HelpFormatter::HelpFormatter(std::optional<std::size_t> columns) : columns_(columns) {
  column_width(kNameWidth);
  label("Positionals", "Arguments");
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  const bool is_whole_command = app->get_parent() == nullptr;
  std::string words = is_whole_command ? " COMMAND" : app->get_subcommands(nullptr).empty() ? "" : " FORMAT";
  for (const CLI::Option* option : app->get_options())
    if (option->get_positional()) words += " " + option->get_name();
  return fmt::format("\nUsage: {}{} [FLAGS]\n", name, words);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + make_subcommands(app, mode) +
         flag_groups(app) + '\n' + make_footer(app);
}

std::string HelpFormatter::flag_groups(const CLI::App* app) const {
  // --help and --version stand in CLI11's own group, which comes first; what the command is about should.
  const std::string own_group = app->get_help_ptr()->get_group();
  std::vector<std::string> groups = app->get_groups();
  std::stable_partition(groups.begin(), groups.end(), [&](const std::string& group) { return group != own_group; });
  std::string text;
  for (const std::string& group : groups) {
    const auto flags =
        app->get_options([&](const CLI::Option* flag) { return flag->get_group() == group && flag->nonpositional(); });
    if (!flags.empty()) text += make_group(group == own_group ? "Other" : group, false, flags);
  }
  return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), columns_ ? *columns_ - kNameWidth : kTextWidth);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string footer = CLI::Formatter::make_footer(app);
  return columns_ ? reflow(footer, *columns_) : footer;
}

}  // namespace heddle
