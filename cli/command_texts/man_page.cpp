// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/man_page.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/command_texts/command_tree.hpp"
#include "cli/command_texts/guide.hpp"
#include "core/version.hpp"

namespace heddle {

namespace {

/// The code point of the UTF-8 sequence at `at`, and how many bytes it has. heddle's own texts are valid UTF-8.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])); };
  if (byte(0) < 0x80) return {byte(0), 1};
  if (byte(0) < 0xe0) return {(byte(0) & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (byte(0) < 0xf0) return {(byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {(byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

/// roff takes these for something else: an escape, a hyphen, typographic quotes and accents.
std::string_view escape_of(std::uint32_t c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case 0x2026:  // …, which not every terminal's encoding has
      return "...";
    default:
      return "";
  }
}

/// Text as roff prints it unchanged, in ASCII, so that it does not depend on the reader's encoding.
std::string escaped(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const auto [c, bytes] = code_point(text, i);
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && c == '.') line += "\\&";  // else it is a request
    if (const std::string_view escape = escape_of(c); !escape.empty())
      line += escape;
    else
      line += c < 0x80 ? std::string(1, static_cast<char>(c)) : fmt::format("\\[u{:04X}]", c);
    i += bytes;
  }
  return line;
}

std::string bold(std::string_view text) { return text.empty() ? "" : fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return text.empty() ? "" : fmt::format("\\fI{}\\fR", escaped(text)); }

std::string paragraph(std::string_view text) { return fmt::format(".PP\n{}\n", escaped(text)); }
std::string item(std::string_view tag, std::string_view text) { return fmt::format(".TP\n{}\n{}\n", tag, escaped(text)); }

/// Lines as they are.
std::string lines(std::string_view text) { return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(text)); }

/// "-b, --size SIZE=64MiB"
std::string flag_tag(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
  std::string tag = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() == 0) return tag;
  if (!option.get_type_name().empty()) tag += " " + italic(option.get_type_name());
  if (!option.get_default_str().empty()) tag += escaped("=" + option.get_default_str());
  return tag;
}

/// By groups; `own` is the title of the group that CLI11 puts --help in.
std::string flags_text(const CLI::App& command, std::string_view own) {
  // --help stands in CLI11's own group, which comes first; what the command is about should.
  const std::string own_group = command.get_help_ptr()->get_group();
  std::vector<std::string> groups = command.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [&](const std::string& group) { return group != own_group; });
  std::string text;
  for (const std::string& group : groups) {
    const auto flags =
        command.get_options([&](const CLI::Option* flag) { return flag->get_group() == group && flag->nonpositional(); });
    if (flags.empty()) continue;
    text += fmt::format(".PP\n{}\n", bold((group == own_group ? std::string(own) : group) + ":"));
    for (const CLI::Option* flag : flags) text += item(flag_tag(*flag), flag->get_description());
  }
  return text;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// "heddle run COLLECTIVE [FLAGS]"
std::string usage(const CLI::App& command) {
  std::string text = bold("heddle " + full_name(command));
  for (const CLI::Option* argument : positionals_of(command)) text += " " + italic(argument->get_name());
  return text + " [" + italic("FLAGS") + "]";
}

std::string command_text(const CLI::App& command) {
  std::string text =
      fmt::format(".SS {}\n{}.\n.PP\n{}\n", escaped(full_name(command)), escaped(command.get_description()), usage(command));
  for (const CLI::Option* argument : positionals_of(command))
    text += item(italic(argument->get_name()), argument->get_description());
  text += flags_text(command, "Other");
  if (!command.get_footer().empty()) text += lines(command.get_footer());
  return text;
}

std::string examples_text() {
  std::string text;
  for (const FirstCommand& command : first_commands())
    text += fmt::format(".TP\n{}\n{}\n", bold(command.line), escaped(command.meaning));
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
  text += bold("heddle") + " " + bold("--help") + " | " + bold("--version") + "\n";
  text += ".SH DESCRIPTION\n" + escaped(app.get_description()) + "\n";
  text += paragraph("Without a command, heddle prints a few commands to begin with.") + flags_text(app, "Flags");
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands) text += command_text(*command);
  text += ".SH EXIT STATUS\n" + item("0", "All is right.") +
          item("1", "A check failed: a result was wrong, a run did not end, or an output could not be written.") +
          item("2", "Bad input. One line on standard error says what, where, and what would be right.") +
          item("3", "Fuzzing was stopped by a signal, and had found nothing.") +
          item("128+N",
               "Another command was stopped by signal N (Ctrl-C: 130), within two seconds; what a sweep had finished is kept.");
  text += ".SH EXAMPLES\n" + examples_text();
  text += ".SH SEE ALSO\n" + bold("dot") + "(1), " + bold("gnuplot") + "(1)\n" +
          paragraph("README.md and the folders docs and examples are installed in share/doc/heddle.");
  return text;
}

}  // namespace heddle
