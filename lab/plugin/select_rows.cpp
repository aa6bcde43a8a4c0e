// SPDX-License-Identifier: Apache-2.0
#include "lab/plugin/select_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/nearest_name.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/plugin/schedule_files.hpp"

namespace heddle {

std::vector<Algorithm> all_rows(std::span<const std::string> plugins, const std::optional<std::string>& algorithm) {
  std::vector<Algorithm> rows(registry().begin(), registry().end());
  for (Algorithm& row : load_plugins(plugins)) rows.push_back(std::move(row));
  if (algorithm) {
    const auto load = [](std::string_view name) { return load_schedules(name, std::nullopt); };
    for (Algorithm& row : read_flag("--algo", *algorithm, load)) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, &Algorithm::collective);
  return rows;
}

std::vector<const Algorithm*> select_rows(std::span<const Algorithm> rows, const RowSelection& selection) {
  std::vector<const Algorithm*> selected;
  std::vector<std::string_view> names;
  for (const Algorithm& row : rows) {
    if (selection.collective && row.collective != *selection.collective) continue;
    names.push_back(row.name);
    if (!selection.algorithm || row.name == *selection.algorithm) selected.push_back(&row);
  }
  if (selected.empty() && selection.algorithm) {
    for (const Algorithm& row : rows) {
      const bool is_asked = !selection.collective || row.collective == *selection.collective;
      if (is_asked && other_name_of(row, *selection.algorithm)) selected.push_back(&row);
    }
  }
  if (selected.empty() && selection.algorithm)
    throw InputError(with_flag("--algo", unknown_name_message("algorithm", *selection.algorithm, names)));
  return selected;
}

std::vector<Algorithm> select_with_options(std::span<const Algorithm> rows, const RowSelection& selection) {
  const std::string& name = selection.algorithm.value();
  RowSelection bare = selection;
  if (!is_schedule_name(name)) bare.algorithm = name.substr(0, name.find(':'));
  std::vector<Algorithm> selected;
  for (const Algorithm* row : select_rows(rows, bare))
    selected.push_back(read_flag("--algo", name, [&](std::string_view text) { return find_row(rows, row->collective, text); }));
  return selected;
}

}  // namespace heddle
