// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/flag_texts.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstddef>
#include <map>
#include <span>

#include "heddle/collective.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/flag_value.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// What the value of a command's flag or argument, of which `written` is there, can become. `collective` is the one that the
/// line names, or empty.
Completion values_of(const CLI::App& command, const CLI::Option& option, std::string_view collective, std::string_view written);

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

namespace {

/// What readers of flags know by name. A test gives each word to its flag.
std::vector<Candidate> words_of(std::string_view flag) {
  static const std::map<std::string_view, std::vector<Candidate>> kOfCommands = {
      {"--plot-y", {{"time"}, {"goodput"}}},
      {"--heatmap-of", {{"utilisation"}, {"bytes"}, {"contention"}}},
      {"--tune", {{"options"}}},
      {"--times", {{"median"}, {"least"}}},
      {"--transport", {{"mpi"}, {"tcp"}}},
      {"--distribute", {{"mpi"}, {"tcp"}}},
      {"--shard", {{"array"}}},
      {"--test-style", {{"catch2-v2"}, {"catch2-v3"}, {"googletest"}, {"plain"}}}};
  if (const ExperimentFlag* known = find_experiment_flag(flag)) return known->words;
  const auto found = kOfCommands.find(flag);
  return found == kOfCommands.end() ? std::vector<Candidate>() : found->second;
}

/// The candidates that begin with `written`, which stands behind `before`.
Completion beginning(const std::vector<Candidate>& all, std::string_view before, std::string_view written) {
  Completion completion;
  for (const Candidate& one : all)
    if (one.word.starts_with(written)) completion.candidates.push_back({std::string(before) + one.word, one.meaning});
  return completion;
}

Completion file_after(std::string_view before) { return {.file_after = std::string(before)}; }

/// Where the last of a list's parts begins.
std::size_t last_part(std::string_view list) {
  const std::size_t comma = list.rfind(',');
  return comma == std::string_view::npos ? 0 : comma + 1;
}

std::vector<Candidate> collectives() {
  std::vector<Candidate> all;
  for (const Collective collective : all_collectives()) all.push_back({to_string(collective), ""});
  return all;
}

/// The collective's rows, or one of each name where the line names no collective.
std::vector<const Algorithm*> rows_for(std::string_view collective) {
  std::vector<const Algorithm*> rows;
  const auto has_name = [&](const Algorithm& row) {
    return std::ranges::any_of(rows, [&](const Algorithm* other) { return other->name == row.name; });
  };
  const bool is_known = std::ranges::any_of(all_collectives(), [&](Collective one) { return to_string(one) == collective; });
  for (const Algorithm& row : registry())
    if (is_known ? to_string(row.collective) == collective : !has_name(row)) rows.push_back(&row);
  return rows;
}

/// The options of the algorithm `name`, as behind its colon: "segments=".
std::vector<Candidate> options_of(std::string_view name, std::string_view collective) {
  std::vector<Candidate> all;
  for (const Algorithm* row : rows_for(collective))
    if (row->name == name)
      for (const Parameter& parameter : row->parameters)
        all.push_back({std::string(parameter.name) + "=", std::string(parameter.meaning)});
  return all;
}

/// One name or, in most commands, several with commas.
Completion algorithms(const CLI::Option& option, std::string_view collective, std::string_view written) {
  const std::size_t begin = last_part(written);
  const std::string_view before = written.substr(0, begin);
  const std::string_view part = written.substr(begin);
  if (const std::size_t colon = part.find(':'); colon != std::string_view::npos)
    return beginning(options_of(part.substr(0, colon), collective), written.substr(0, begin + colon + 1),
                     part.substr(colon + 1));
  std::vector<Candidate> all;
  if (before.empty() && option.get_default_str() == "all") all.push_back({"all", "All that fit"});
  const std::vector<std::string_view> named = split_list(before);
  for (const Algorithm* row : rows_for(collective))
    if (std::ranges::find(named, row->name) == named.end()) all.push_back({row->name, std::string(row->summary)});
  return beginning(all, before, part);
}

/// A family's name, behind it the family's example as a form to change. In a list of several a family follows a comma.
Completion topologies(bool is_list, std::string_view written) {
  const std::size_t begin = is_list && written.find(':', last_part(written)) == std::string_view::npos ? last_part(written) : 0;
  const std::string_view part = written.substr(begin);
  const std::size_t colon = part.find(':');
  const bool has_family = colon != std::string_view::npos;
  const std::vector<TopologyFamily>& families = topology_families();
  const auto named = std::ranges::find(families, part.substr(0, colon), &TopologyFamily::name);
  if (has_family && named != families.end() && named->reads_file) return file_after(written.substr(0, begin + colon + 1));
  std::vector<Candidate> all;
  for (const TopologyFamily& family : topology_families())
    all.push_back({has_family ? std::string(family.example) : std::string(family.name) + ":", std::string(family.summary)});
  return beginning(all, written.substr(0, begin), part);
}

Completion commands(const CLI::App& app, std::string_view written) {
  std::vector<Candidate> all;
  for (const CLI::App* command : app.get_subcommands(nullptr)) all.push_back({command->get_name(), command->get_description()});
  return beginning(all, "", written);
}

Completion values_of(const CLI::App& command, const CLI::Option& option, std::string_view collective,
                     std::string_view written) {
  const std::string name = option.get_name();
  const std::string type = option.get_type_name();
  const bool is_list = option.get_items_expected_max() > 1;
  if (type == "PATH" || type == "FILE" || name == "FILES" || name == "PROGRAM") return file_after("");
  if (name == "COMMAND") return commands(*command.get_parent(), written);
  if (name == "COLLECTIVE" || name == "--collective" || name == "WORDS") return beginning(collectives(), "", written);
  if (name == "--algo") return algorithms(option, collective, written);
  if (name == "--topo" || name == "SPEC") return topologies(is_list, written);
  if (name == "--placement" && written.starts_with("file:")) return file_after("file:");
  if (name == "--preset" && written.substr(is_list ? last_part(written) : 0).starts_with("file:"))
    return file_after(written.substr(0, (is_list ? last_part(written) : 0) + std::string_view("file:").size()));
  const std::size_t begin = is_list ? last_part(written) : 0;
  return beginning(words_of(name), written.substr(0, begin), written.substr(begin));
}

}  // namespace

}  // namespace heddle
