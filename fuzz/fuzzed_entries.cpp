// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/nearest_name.hpp"
#include "fuzz/case_process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"

namespace heddle {

namespace {

/// Those that have one of the tags.
void select_by_tags(std::vector<Algorithm>& rows, std::string_view tags) {
  const std::vector<std::string_view> wanted = split_list(tags);
  std::vector<std::string> known;
  for (const Algorithm& row : rows) {
    for (std::string& tag : tags_of(row)) {
      if (std::ranges::find(known, tag) == known.end()) known.push_back(std::move(tag));
    }
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const std::string_view tag : wanted) {
    if (std::ranges::find(names, tag) == names.end())
      throw InputError(with_flag("--tag", unknown_name_message("tag", tag, names)));
  }
  std::erase_if(rows, [&](const Algorithm& row) {
    const std::vector<std::string> own = tags_of(row);
    return std::ranges::none_of(wanted, [&](std::string_view tag) { return std::ranges::find(own, tag) != own.end(); });
  });
}

/// Those of some collectives, by some names and tags.
std::vector<Algorithm> select_fuzzed_entries(std::vector<Algorithm> rows, const FuzzedEntries& which) {
  if (which.collective != "all") {
    const Collective collective = parse_collective(which.collective);
    std::erase_if(rows, [&](const Algorithm& row) { return row.collective != collective; });
    if (rows.empty()) throw InputError(fmt::format("{}: no plugin has {}", fmt::join(which.plugins, ", "), which.collective));
  }
  if (which.tags) select_by_tags(rows, *which.tags);
  if (which.algorithms == "all") return rows;
  const std::vector<std::string_view> names = split_list(which.algorithms);
  const std::vector<Algorithm> known = rows;
  for (const std::string_view name : names) {
    if (std::ranges::find(known, name, &Algorithm::name) != known.end()) continue;
    const std::vector<std::string_view> all = [&] {
      std::vector<std::string_view> texts;
      for (const Algorithm& row : known) {
        if (std::ranges::find(texts, row.name) == texts.end()) texts.push_back(row.name);
      }
      return texts;
    }();
    read_flag("--algo", name, refuse_python);
    throw InputError(with_flag("--algo", unknown_name_message("algorithm", name, all)));
  }
  std::erase_if(rows, [&](const Algorithm& row) { return std::ranges::find(names, row.name) == names.end(); });
  return rows;
}

/// With the schedules that are named.
std::vector<Algorithm> with_schedules(std::vector<Algorithm> rows, const FuzzedEntries& which) {
  std::optional<Collective> collective;
  if (which.collective != "all") collective = parse_collective(which.collective);
  const auto load = [&](std::string_view names) { return load_schedules(names, collective); };
  for (Algorithm& row : read_flag("--algo", which.algorithms, load)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

std::vector<Algorithm> fuzzed_entries(const FuzzedEntries& which, std::chrono::duration<double> limit) {
  if (which.plugins.empty()) return select_fuzzed_entries(with_schedules(registry_copy(), which), which);
  if (const auto failure = failure_of_process([&] { load_plugins(which.plugins); }, limit))
    throw InputError(
        fmt::format("--plugin {}: when it is loaded, {}", fmt::join(which.plugins, " --plugin "), failure->explanation));
  return select_fuzzed_entries(with_schedules(load_plugins(which.plugins), which), which);
}

}  // namespace heddle
