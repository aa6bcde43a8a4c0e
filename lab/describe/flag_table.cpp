// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/flag_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_rows.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

const std::vector<ExperimentFlag>& experiment_flags() {
  static const std::vector<ExperimentFlag> kFlags = [] {
    std::vector<ExperimentFlag> all;
    for (auto [group, rows] :
         {std::pair(flag_groups::kFabric, flag_rows::fabric_rows()), std::pair(flag_groups::kWhat, flag_rows::call_rows()),
          std::pair(flag_groups::kRanks, flag_rows::rank_rows()), std::pair(flag_groups::kOrder, flag_rows::order_rows()),
          std::pair(flag_groups::kClock, flag_rows::clock_rows()), std::pair(flag_groups::kFaults, flag_rows::fault_rows()),
          std::pair(flag_groups::kData, flag_rows::data_rows()), std::pair(flag_groups::kNcclTests, flag_rows::nccl_rows())}) {
      for (ExperimentFlag& row : rows) row.group = group;
      std::ranges::move(rows, std::back_inserter(all));
    }
    return all;
  }();
  return kFlags;
}

std::string_view renamed_flag(std::string_view flag) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRenamed = {{{"--schedule", "--order"},
                                                                                      {"--schedule-seed", "--order-seed"},
                                                                                      {"--over", "--transport"},
                                                                                      {"--beside", "--reference"},
                                                                                      {"--spread", "--distribute"},
                                                                                      {"--alone", "--isolated-groups"},
                                                                                      {"--hop", "--switch-latency"},
                                                                                      {"--dilate", "--time-scale"},
                                                                                      {"--payload", "--data-memory"}}};
  const auto found = std::ranges::find(kRenamed, flag, &std::pair<std::string_view, std::string_view>::first);
  return found == kRenamed.end() ? "" : found->second;
}

const ExperimentFlag* find_experiment_flag(std::string_view name) {
  const std::vector<ExperimentFlag>& flags = experiment_flags();
  const auto found = std::ranges::find(flags, name, &ExperimentFlag::name);
  return found == flags.end() ? nullptr : &*found;
}

namespace {

/// The order of flags in a text, which findings and saved cases have. What is not here follows in the table's order.
constexpr std::string_view kTextOrder =
    "--algo --plugin --topo --ranks --placement --groups --isolated-groups --size --blocks --skew --counts --datatype "
    "--values --op --root --in-place --out-of-place --calls --seed --positions --data-memory --preset --bw --latency "
    "--eta-alpha --eta-beta --switch-latency --host-link --alpha --gamma --send-overhead --recv-overhead --routing "
    "--background --buffering --model --order-seed --order --explore --threads --stack --clock --time-scale --deadline "
    "--iters --warmup_iters --fault ";

const std::vector<const ExperimentFlag*>& flags_in_text_order() {
  static const std::vector<const ExperimentFlag*> kFlags = [] {
    std::vector<const ExperimentFlag*> flags;
    for (const ExperimentFlag& flag : experiment_flags()) flags.push_back(&flag);
    std::ranges::stable_sort(flags, {}, [](const ExperimentFlag* flag) { return kTextOrder.find(flag->name + ' '); });
    return flags;
  }();
  return kFlags;
}

const ExperimentFlag& known_flag(std::string_view name) {
  if (const ExperimentFlag* flag = find_experiment_flag(name)) return *flag;
  if (const std::string_view now = renamed_flag(name); !now.empty())
    throw InputError(fmt::format("{} is called {} now", name, now));
  std::vector<std::string_view> names;
  for (const ExperimentFlag* flag : flags_in_text_order()) names.push_back(flag->name);
  throw InputError(unknown_name_message("flag of an experiment", name, names));
}

bool takes_value(const ExperimentFlag& flag) { return flag.takes != ExperimentFlag::Takes::nothing; }

}  // namespace

void set_flag(Experiment& experiment, std::string_view flag, std::string_view value) {
  const ExperimentFlag& known = known_flag(flag);
  read_flag(flag, value, [&](std::string_view text) {
    known.value.set(experiment, text);
    return true;
  });
}

namespace {

bool has(const std::vector<GivenFlag>& given, std::string_view name) {
  return std::ranges::find(given, name, &GivenFlag::name) != given.end();
}

/// What the experiment does not show any more.
void require_consistent(const std::vector<GivenFlag>& given, const Experiment& experiment) {
  if (has(given, "--in-place") && has(given, "--out-of-place"))
    throw InputError("--in-place and --out-of-place: one or the other");
  if (has(given, "--time-scale") && !experiment.clock.is_wall)
    throw InputError("--time-scale: the virtual clock knows no wall time; add --clock wall");
}

}  // namespace

Experiment read_flags(Collective collective, const std::vector<GivenFlag>& given) {
  Experiment experiment;
  experiment.collective = collective;
  for (const GivenFlag& flag : given) known_flag(flag.name);
  for (const ExperimentFlag& flag : experiment_flags())
    for (const GivenFlag& one : given)
      if (one.name == flag.name) set_flag(experiment, flag.name, one.value);
  require_consistent(given, experiment);
  refuse_idle(experiment, [&](std::string_view flag) { return has(given, flag); });
  return experiment;
}

void refuse_idle(const Experiment& experiment, const std::function<bool(std::string_view flag)>& was_given) {
  for (const ExperimentFlag& flag : experiment_flags()) {
    const std::string why = flag.idle && was_given(flag.name) ? flag.idle(experiment) : "";
    if (!why.empty()) throw InputError(fmt::format("{}: {}; leave it out", flag.name, why));
  }
}

std::string Experiment::text() const {
  std::string text = to_string(collective);
  for (const ExperimentFlag* flag : flags_in_text_order()) {
    for (const std::string& value : flag->value.get(*this)) {
      text.append(1, ' ').append(flag->name);
      if (takes_value(*flag)) text.append(1, ' ').append(shell_word(value));
    }
  }
  return text;
}

Experiment Experiment::parse(std::string_view text) {
  const std::vector<std::string> words = shell_words(text);
  if (words.empty()) throw InputError("no experiment; try 'allreduce --algo ring --topo star:3 --size 28'");
  Experiment experiment;
  experiment.collective = parse_collective(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) throw InputError(fmt::format("'{}' is one word too many", words[i]));
    const ExperimentFlag& flag = known_flag(words[i]);
    if (takes_value(flag) && i + 1 == words.size()) throw InputError(fmt::format("{}: its value is missing", words[i]));
    set_flag(experiment, flag.name, takes_value(flag) ? words[++i] : "");
  }
  return experiment;
}

}  // namespace heddle
