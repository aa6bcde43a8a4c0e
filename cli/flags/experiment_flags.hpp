// SPDX-License-Identifier: Apache-2.0
// The flags of an experiment (lab/describe/flag_table.hpp) on the command line.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flag_group.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/describe/variants.hpp"

namespace heddle {

/// Which of them a command has, and what was given. Copies know the same command, which outlives them.
class ExperimentFlags {
 public:
  /// Of no command: none was given.
  ExperimentFlags() = default;
  explicit ExperimentFlags(CLI::App& command) : command_(&command) {}

  /// COLLECTIVE and --algo.
  void add_call();
  /// Adds one, with the table's help, type and group unless others are given.
  void add(std::string_view name, std::string help = {}, std::string type = {}, std::string_view group = {});
  /// Adds those of a group that the command does not have yet, but these.
  void add_group(std::string_view title, std::initializer_list<std::string_view> without = {});

  const CLI::App& command() const { return *command_; }
  /// Whether the command line has it, which need not be a flag of an experiment.
  bool has(std::string_view name) const;
  std::string collective() const { return text("COLLECTIVE"); }
  /// "all" unless given.
  std::string algorithms() const { return has("--algo") ? text("--algo") : "all"; }
  /// The one value of what was given; empty: it was not.
  std::string text(std::string_view name) const;
  /// The experiment that they say, but for its algorithms and the flags `without`. Throws InputError that names the flag, also
  /// for one that changes nothing of this call: who gives it expects that it does something.
  Experiment read(std::initializer_list<std::string_view> without = {}) const;

 private:
  CLI::App* command_ = nullptr;
  std::vector<const ExperimentFlag*> own_ = {};
};

/// --tune and --tune-budget.
struct TuneFlags {
  std::optional<std::string> what = {};
  std::optional<std::string> budget = {};

  /// Parsing fills this, which must outlive `command`.
  void add_to(CLI::App& command);
  /// No value: nothing is asked for. Throws InputError that names the flag.
  std::optional<Tuning> read() const;
};

/// nccl-tests' flags, --check among them.
void add_nccl_tests_flags(ExperimentFlags& flags, CLI::App& command);

/// --plugin, as every command has it that takes algorithms. Parsing fills `paths`, which must outlive the group's command.
CLI::Option* add_plugin_flag(const FlagGroup& group, std::vector<std::string>& paths);

/// The table's help for this flag.
const std::string& help_of(std::string_view name);

}  // namespace heddle
