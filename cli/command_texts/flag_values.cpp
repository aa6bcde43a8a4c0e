// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/flag_values.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <span>

#include "algorithms/registry/registry.hpp"
#include "core/collective.hpp"
#include "core/datatype.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

struct FlagWords {
  std::string_view flag;
  std::span<const std::string_view> words;
};

// What flags' readers know by name. A test gives each word to its flag.
constexpr std::string_view kOps[] = {"sum", "prod", "min", "max", "band", "bor", "bxor", "affine"};
constexpr std::string_view kPlacements[] = {"linear", "random", "fragmented", "scattered", "groups:", "job:", "file:"};
constexpr std::string_view kClocks[] = {"virtual", "wall"};
constexpr std::string_view kBufferings[] = {"eager", "sync"};
constexpr std::string_view kThreads[] = {"user", "kernel"};
constexpr std::string_view kValues[] = {"usual", "special", "runs"};
constexpr std::string_view kRoutings[] = {"adaptive", "deterministic", "ecmp"};
constexpr std::string_view kBlocks[] = {"even", "random"};
constexpr std::string_view kCounts[] = {"random", "sparse", "rows", "columns", "giant", "symmetric"};
constexpr std::string_view kGroups[] = {"rows", "columns", "dim:", "strided:", "tier:", "random:"};
constexpr std::string_view kAlone[] = {"all", "none"};
constexpr std::string_view kPayloads[] = {"full"};
constexpr std::string_view kDilations[] = {"auto"};
constexpr std::string_view kTunes[] = {"options"};
constexpr std::string_view kTimes[] = {"median", "least"};
constexpr std::string_view kPlotYs[] = {"time", "goodput"};
constexpr std::string_view kHeatmapsOf[] = {"utilisation", "bytes", "contention"};
constexpr std::string_view kTestStyles[] = {"catch2-v2", "catch2-v3", "googletest", "plain"};
constexpr std::string_view kNetworks[] = {"mpi", "tcp"};
constexpr std::string_view kShards[] = {"array"};
constexpr std::string_view kFaults[] = {"link:", "rank:", "message:", "switch:", "unreliable:"};

std::span<const std::string_view> words_of(std::string_view flag) {
  static constexpr std::array<FlagWords, 22> kFlags = {
      {{"--op", kOps},          {"--placement", kPlacements},  {"--clock", kClocks},     {"--buffering", kBufferings},
       {"--threads", kThreads}, {"--values", kValues},         {"--routing", kRoutings}, {"--blocks", kBlocks},
       {"--groups", kGroups},   {"--alone", kAlone},           {"--payload", kPayloads}, {"--dilate", kDilations},
       {"--plot-y", kPlotYs},   {"--heatmap-of", kHeatmapsOf}, {"--fault", kFaults},     {"--tune", kTunes},
       {"--times", kTimes},     {"--over", kNetworks},         {"--spread", kNetworks},  {"--shard", kShards},
       {"--counts", kCounts},   {"--test-style", kTestStyles}}};
  const auto found = std::ranges::find(kFlags, flag, &FlagWords::flag);
  return found == kFlags.end() ? std::span<const std::string_view>() : found->words;
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

bool is_in_list(std::string_view list, std::string_view name) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (list.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

std::vector<Candidate> collectives() {
  std::vector<Candidate> all;
  for (const Collective collective : all_collectives()) all.push_back({to_string(collective), ""});
  return all;
}

std::vector<Candidate> datatypes() {
  std::vector<Candidate> all;
  for (const Datatype type : builtin_datatypes()) all.push_back({to_string(type), ""});
  return all;
}

std::vector<Candidate> models() {
  std::vector<Candidate> all;
  for (const Model model : all_models()) all.push_back({to_string(model), std::string(summary_of(model))});
  return all;
}

std::vector<Candidate> presets() {
  std::vector<Candidate> all;
  for (const FabricPreset& preset : fabric_presets()) all.push_back({std::string(preset.name), std::string(preset.summary)});
  all.push_back({"file:", "One that heddle fit has written"});
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
  for (const Algorithm* row : rows_for(collective))
    if (!is_in_list(before, row->name)) all.push_back({row->name, std::string(row->summary)});
  return beginning(all, before, part);
}

/// A family's name, behind it the family's example as a form to change. In a list of several a family follows a comma.
Completion topologies(bool is_list, std::string_view written) {
  const std::size_t begin = is_list && written.find(':', last_part(written)) == std::string_view::npos ? last_part(written) : 0;
  const std::string_view part = written.substr(begin);
  if (part.starts_with("file:")) return file_after(written.substr(0, begin + std::string_view("file:").size()));
  const bool has_family = part.find(':') != std::string_view::npos;
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

}  // namespace

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
  if (name == "--model") return beginning(models(), "", written);
  if (name == "--datatype") return beginning(datatypes(), "", written);
  if (name == "--placement" && written.starts_with("file:")) return file_after("file:");
  if (name == "--preset" && written.substr(is_list ? last_part(written) : 0).starts_with("file:"))
    return file_after(written.substr(0, (is_list ? last_part(written) : 0) + std::string_view("file:").size()));
  const std::size_t begin = is_list ? last_part(written) : 0;
  std::vector<Candidate> all;
  if (name == "--preset") all = presets();
  for (const std::string_view word : words_of(name)) all.push_back({std::string(word), ""});
  return beginning(all, written.substr(0, begin), written.substr(begin));
}

}  // namespace heddle
