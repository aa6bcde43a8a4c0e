// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/flag_texts.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/version.hpp"
#include "show/document/markup.hpp"
#include "show/terminal/terminal.hpp"

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

namespace {

constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kTextWidth = 80;

/// Flags by the titles that they stand under. CLI11's own group has --help and comes first; what the command is about should. `own`
/// is its title.
std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> groups_of(const CLI::App& command, std::string_view own) {
  const std::string own_group = command.get_help_ptr()->get_group();
  std::vector<std::string> groups = command.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [&](const std::string& group) { return group != own_group; });
  std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> flags;
  for (const std::string& group : groups) {
    auto its =
        command.get_options([&](const CLI::Option* flag) { return flag->get_group() == group && flag->nonpositional(); });
    if (!its.empty()) flags.emplace_back(group == own_group ? std::string(own) : group, std::move(its));
  }
  return flags;
}

/// Behind flags of its own: those of a compiler are all the compiler's.
bool runs_a_program(const CLI::App& command) { return command.get_prefix_command() && command.get_options().size() > 1; }

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
  return fmt::format("\nUsage: {}{} [FLAGS]{}\n", name, words, runs_a_program(*app) ? " PROGRAM [ARGUMENTS]" : "");
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string groups;
  for (const auto& [title, flags] : groups_of(*app, "Other")) groups += make_group(title, false, flags);
  return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + make_subcommands(app, mode) +
         groups + '\n' + make_footer(app);
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), columns_ ? *columns_ - kNameWidth : kTextWidth);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string footer = CLI::Formatter::make_footer(app);
  return columns_ ? reflow(footer, *columns_) : footer;
}

namespace {

constexpr std::array<FirstCommand, 5> kFirstCommands = {{
    {"heddle run allreduce --topo torus:8x8 --size 1MiB --preset swing-nsdi24",
     "every allreduce that fits, on an 8x8 torus with the Swing paper's speeds"},
    {"heddle run allreduce --algo ring --topo ring:16 --size 1MiB --explain", "one algorithm, and where its time goes"},
    {"heddle sweep allreduce --topo torus:4x4 --size 1KiB:16MiB:x4", "which algorithm is the fastest at which size"},
    {"heddle list --collective allreduce", "the algorithms: rounds, bytes, needs, sources"},
    {"heddle topo fattree:k=8", "a fabric's size, degree, diameter and bisection"},
}};

}  // namespace

std::span<const FirstCommand> first_commands() { return kFirstCommands; }

std::string guide() {
  std::string text =
      "heddle runs collective-communication algorithms on an emulated fabric, checks\n"
      "every result, and only then reports the time.\n\n";
  for (const FirstCommand& command : first_commands()) text += fmt::format("  {}\n      {}\n", command.line, command.meaning);
  return text +
         "\nAll commands: heddle help. One command's flags: heddle help run. The manual:\n"
         "man heddle, where heddle is installed.\n";
}

namespace {

/// "-b, --size SIZE=64MiB"
std::string flag_tag(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(roff::bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(roff::bold("--" + name));
  std::string tag = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() == 0) return tag;
  if (!option.get_type_name().empty()) tag += " " + roff::italic(option.get_type_name());
  if (!option.get_default_str().empty()) tag += roff::escaped("=" + option.get_default_str());
  return tag;
}

std::string flags_text(const CLI::App& command, std::string_view own) {
  std::string text;
  for (const auto& [title, flags] : groups_of(command, own)) {
    text += fmt::format(".PP\n{}\n", roff::bold(title + ":"));
    for (const CLI::Option* flag : flags) text += roff::item(flag_tag(*flag), flag->get_description());
  }
  return text;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// "heddle run COLLECTIVE [FLAGS]"
std::string usage(const CLI::App& command) {
  std::string text = roff::bold("heddle " + full_name(command));
  for (const CLI::Option* argument : positionals_of(command)) text += " " + roff::italic(argument->get_name());
  text += " [" + roff::italic("FLAGS") + "]";
  if (runs_a_program(command)) text += " " + roff::italic("PROGRAM") + " [" + roff::italic("ARGUMENTS") + "]";
  return text;
}

std::string command_text(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}.\n.PP\n{}\n", roff::escaped(full_name(command)),
                                 roff::escaped(command.get_description()), usage(command));
  for (const CLI::Option* argument : positionals_of(command))
    text += roff::item(roff::italic(argument->get_name()), argument->get_description());
  text += flags_text(command, "Other");
  if (!command.get_footer().empty()) text += roff::lines(command.get_footer());
  return text;
}

std::string examples_text() {
  std::string text;
  for (const FirstCommand& command : first_commands())
    text += fmt::format(".TP\n{}\n{}\n", roff::bold(command.line), roff::escaped(command.meaning));
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = commands_to_run(app);
  std::string text = ".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Written by: heddle manual\n";
  text += fmt::format(".TH HEDDLE 1 \"\" \"heddle {}\" \"User Commands\"\n", version());
  text += ".ad l\n.nh\n";  // names of flags are neither stretched nor cut
  text += ".SH NAME\nheddle \\- run collective\\-communication algorithms on an emulated fabric\n";
  text += ".SH SYNOPSIS\n";
  for (const CLI::App* command : commands) text += usage(*command) + "\n.br\n";
  text += roff::bold("heddle") + " " + roff::bold("--help") + " | " + roff::bold("--version") + "\n";
  text += ".SH DESCRIPTION\n" + roff::escaped(app.get_description()) + "\n";
  text += roff::paragraph("Without a command, heddle prints a few commands to begin with.") + flags_text(app, "Flags");
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands) text += command_text(*command);
  text += ".SH EXIT STATUS\n" + roff::item("0", "All is right.") +
          roff::item("1", "A check failed: a result was wrong, a run did not end, or an output could not be written.") +
          roff::item("2", "Bad input. One line on standard error says what, where, and what would be right.") +
          roff::item("3", "Fuzzing was stopped by a signal and had found nothing, or the one case of --case is slow.") +
          roff::item(
              "128+N",
              "Another command was stopped by signal N (Ctrl-C: 130), within two seconds; what a sweep had finished is kept.") +
          roff::paragraph("launch and mpirun may also end with the status of the program that they run.");
  text += ".SH EXAMPLES\n" + examples_text();
  text += ".SH SEE ALSO\n" + roff::bold("dot") + "(1), " + roff::bold("rsvg-convert") + "(1)\n" +
          roff::paragraph("README.md and the folders docs and examples are installed in share/doc/heddle.");
  return text;
}

}  // namespace heddle
