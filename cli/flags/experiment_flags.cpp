// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/experiment_flags.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <limits>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

using Takes = ExperimentFlag::Takes;

const CLI::Option* option_of(const CLI::App* command, std::string_view name) {
  return command == nullptr ? nullptr : command->get_option_no_throw(std::string(name));
}

/// nccl-tests' flag, which says nothing of an experiment.
void require_checked(const ExperimentFlags& flags) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto parse = [](std::string_view text) { return parse_integer(text, 0, kMost); };
  if (flags.has("--check") && read_flag("--check", flags.text("--check"), parse) == 0)
    throw InputError("--check 0: every result is checked before its time is reported; leave --check out");
}

}  // namespace

void ExperimentFlags::add_call() {
  command_
      ->add_option("COLLECTIVE", CLI::callback_t(),
                   "What to call: broadcast, reduce, allreduce, reduce_scatter, allgather, gather, scatter, alltoall or "
                   "barrier")
      ->type_name("");
  add("--algo");
}

void ExperimentFlags::add(std::string_view name, std::string help, std::string type, std::string_view group) {
  const ExperimentFlag& flag = *find_experiment_flag(name);
  const std::string names = flag.letter.empty() ? flag.name : flag.letter + "," + flag.name;
  if (help.empty()) help = flag.help;
  own_.push_back(&flag);
  CLI::Option* option = flag.takes == Takes::nothing
                            ? command_->add_flag(names, std::as_const(help))
                            : command_->add_option(names, CLI::callback_t(), help)->type_name(type.empty() ? flag.type : type);
  if (!flag.usual.empty()) option->default_str(flag.usual);
  if (flag.takes == Takes::values) option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  option->group(std::string(group.empty() ? flag.group : group));
}

void ExperimentFlags::add_group(std::string_view title, std::initializer_list<std::string_view> without) {
  for (const ExperimentFlag& flag : experiment_flags()) {
    const bool is_left_out = std::ranges::find(without, flag.name) != without.end();
    if (flag.group == title && !is_left_out && option_of(command_, flag.name) == nullptr) add(flag.name);
  }
}

bool ExperimentFlags::has(std::string_view name) const {
  const CLI::Option* option = option_of(command_, name);
  return option != nullptr && option->count() > 0;
}

std::string ExperimentFlags::text(std::string_view name) const {
  return has(name) ? option_of(command_, name)->results().front() : "";
}

Experiment ExperimentFlags::read(std::initializer_list<std::string_view> without) const {
  Collective called = Experiment().collective;
  if (option_of(command_, "COLLECTIVE") != nullptr) {
    if (collective().empty())
      throw InputError("the collective is missing; try: heddle run allreduce --topo torus:8x8 --size 1MiB");
    called = parse_collective(collective());
  }
  std::vector<GivenFlag> given;
  for (const ExperimentFlag* flag : own_) {
    if (flag->name == "--algo" || !has(flag->name) || std::ranges::find(without, flag->name) != without.end()) continue;
    if (flag->takes == Takes::nothing)
      given.push_back({flag->name});
    else
      for (const std::string& value : option_of(command_, flag->name)->results()) given.push_back({flag->name, value});
  }
  const Experiment experiment = read_flags(called, given);
  require_checked(*this);
  refuse_idle(experiment, [this](std::string_view flag) { return has(flag); });
  return experiment;
}

void TuneFlags::add_to(CLI::App& command) {
  const FlagGroup group(command, std::string(flag_groups::kWhat));
  group.add("--tune", what, "WHAT",
            "options: of each algorithm also the variants that its options make (segments, ports, skips, phases of "
            "hierarchical, …), of which the table shows the best; options that --algo names stay as they are");
  group.add("--tune-budget", budget, "N",
            "The most variants at each point (256): algorithms as named, then of each in turn the next one, changes of one "
            "option and of values that promise most first");
}

std::optional<Tuning> TuneFlags::read() const {
  constexpr int kMostVariants = 1'000'000;
  if (!what) {
    if (budget) throw InputError("--tune-budget: nothing is tuned; add --tune options");
    return std::nullopt;
  }
  if (*what != "options") throw InputError(fmt::format("--tune '{}': nothing to tune; try --tune options", *what));
  Tuning tuning;
  const auto parse = [](std::string_view text) { return static_cast<int>(parse_integer(text, 1, kMostVariants)); };
  if (budget) tuning.budget = read_flag("--tune-budget", *budget, parse);
  return tuning;
}

void add_nccl_tests_flags(ExperimentFlags& flags, CLI::App& command) {
  flags.add_group(flag_groups::kNcclTests);
  command.add_option("-c,--check", CLI::callback_t(), "Check the results; 0 is refused")
      ->type_name("N")
      ->group(std::string(flag_groups::kNcclTests));
}

CLI::Option* add_plugin_flag(const FlagGroup& group, std::vector<std::string>& paths) {
  return group.add_each("--plugin", paths, "PATH", help_of("--plugin"));
}

const std::string& help_of(std::string_view name) { return find_experiment_flag(name)->help; }

}  // namespace heddle
