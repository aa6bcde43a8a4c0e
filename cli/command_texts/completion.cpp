// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/completion.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstddef>
#include <span>

#include "cli/command_texts/flag_values.hpp"

namespace heddle {

namespace {

/// What stands before the word to complete.
struct Line {
  const CLI::Option* awaiting = nullptr;  ///< a flag whose value is next
  std::vector<const CLI::Option*> given = {};
  std::vector<std::string> arguments = {};
  std::string collective = {};  ///< empty: none is named
};

bool takes_value(const CLI::Option& flag) { return flag.get_items_expected_max() > 0; }

/// nullptr if there is no such flag.
const CLI::Option* find_flag(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional() && option->check_name(name)) return option;
  return nullptr;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// The argument that comes after so many; nullptr if there is none. The last may have a list.
const CLI::Option* argument_after(const CLI::App& command, std::size_t count) {
  const std::vector<const CLI::Option*> arguments = arguments_of(command);
  if (count < arguments.size()) return arguments[count];
  const bool goes_on = !arguments.empty() && arguments.back()->get_items_expected_max() > 1;
  return goes_on ? arguments.back() : nullptr;
}

Line read_line(const CLI::App& command, std::span<const std::string> words) {
  Line line;
  for (const std::string& word : words) {
    if (line.awaiting != nullptr) {
      if (line.awaiting->get_name() == "--collective") line.collective = word;
      line.awaiting = nullptr;
    } else if (word.starts_with('-') && word != "-") {
      const std::size_t sign = word.find('=');
      const CLI::Option* flag = find_flag(command, word.substr(0, sign));
      if (flag == nullptr) continue;
      line.given.push_back(flag);
      if (sign == std::string::npos && takes_value(*flag)) line.awaiting = flag;
      if (sign != std::string::npos && flag->get_name() == "--collective") line.collective = word.substr(sign + 1);
    } else {
      const CLI::Option* argument = argument_after(command, line.arguments.size());
      if (argument != nullptr && argument->get_name() == "COLLECTIVE") line.collective = word;
      line.arguments.push_back(word);
    }
  }
  return line;
}

/// The flags that can still be given: one that takes a single value, once.
Completion flags_of(const CLI::App& command, const Line& line, const std::string& written) {
  Completion completion;
  for (const CLI::Option* flag : command.get_options()) {
    const bool is_given = std::ranges::find(line.given, flag) != line.given.end();
    if (!flag->nonpositional() || (is_given && flag->get_items_expected_max() <= 1)) continue;
    const std::string name = flag->get_name();
    if (name.starts_with(written)) completion.candidates.push_back({name, flag->get_description()});
  }
  return completion;
}

/// "--algo=ri"
Completion value_behind_sign(const CLI::App& command, const Line& line, const std::string& written) {
  const std::size_t sign = written.find('=');
  const CLI::Option* flag = find_flag(command, written.substr(0, sign));
  if (flag == nullptr || !takes_value(*flag)) return {};
  Completion completion = values_of(command, *flag, line.collective, std::string_view(written).substr(sign + 1));
  const std::string before = written.substr(0, sign + 1);
  for (Candidate& one : completion.candidates) one.word = before + one.word;
  if (completion.file_after) completion.file_after = before + *completion.file_after;
  return completion;
}

Completion complete_word(const CLI::App& command, const Line& line, const std::string& written) {
  if (line.awaiting != nullptr) return values_of(command, *line.awaiting, line.collective, written);
  if (written.starts_with("--") && written.find('=') != std::string::npos) return value_behind_sign(command, line, written);
  if (written.starts_with('-')) return flags_of(command, line, written);
  if (const CLI::Option* argument = argument_after(command, line.arguments.size())) {
    Completion completion = values_of(command, *argument, line.collective, written);
    if (completion.file_after || !completion.candidates.empty() || !written.empty()) return completion;
  }
  return written.empty() ? flags_of(command, line, written) : Completion();
}

Completion complete_command(const CLI::App& app, const std::string& written) {
  if (written.starts_with('-')) return flags_of(app, Line(), written);
  Completion completion;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->get_name().starts_with(written))
      completion.candidates.push_back({command->get_name(), command->get_description()});
  return completion;
}

/// As much as fits beside a word.
std::string in_brief(std::string_view text) {
  constexpr std::size_t kMost = 70;
  if (text.size() <= kMost) return std::string(text);
  return fmt::format("{} …", text.substr(0, text.rfind(' ', kMost)));
}

}  // namespace

Completion complete(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() <= 1) return complete_command(app, words.empty() ? "" : words.front());
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() != words.front()) continue;
    const bool has_commands = !command->get_subcommands(nullptr).empty();
    if (has_commands) return complete(*command, std::vector<std::string>(words.begin() + 1, words.end()));
    return complete_word(*command, read_line(*command, std::span(words).subspan(1, words.size() - 2)), words.back());
  }
  return {};
}

std::string to_lines(const Completion& completion) {
  if (completion.file_after) return fmt::format(":files {}\n", *completion.file_after);
  std::string text;
  for (const Candidate& one : completion.candidates) text += fmt::format("{}\t{}\n", one.word, in_brief(one.meaning));
  return text;
}

}  // namespace heddle
